import { typeid } from 'typeid-js';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import { createAssistant, createSession, createUser } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const NOTHING = {
  sessions: 0,
  calls: 0,
  audio_seconds: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  cost_known: true,
};

let calls = 0;

/** Adds a call to the ledger. */
async function recordCall(workspace_id: string, day: string, fields: Partial<ProviderCallModel> = {}): Promise<void> {
  await ProviderCallModel.query().insert({
    session_id: typeid('sess').toString(),
    step: 'analysis',
    attempt: ++calls,
    workspace_id,
    assistant_id: typeid('asst').toString(),
    provider: 'openai',
    model: 'gpt-6-luna',
    status: 'succeeded',
    started_at: new Date(day),
    usage: { input_tokens: 100, output_tokens: 10 },
    cost_usd: 0.1,
    ...fields,
  });
}

describe('GET /v1/usage', () => {
  const api = useTestApi();

  const usageOf = async (token: string, query: Record<string, string> = {}) =>
    (await send(api, 'getUsage', { token, query })).body;

  const MARCH = { from: '2026-03-01', to: '2026-03-31' };

  it('counts each call on its day in UTC; from and to are inclusive', async () => {
    const { workspaceId, token } = await createUser();
    for (const time of ['02-28T23:59:59.999Z', '03-01T00:00:00.000Z', '03-31T23:59:59.999Z', '04-01T00:00:00.000Z']) {
      await recordCall(workspaceId, `2026-${time}`);
    }
    const { data, totals, from, to, group_by } = await usageOf(token, MARCH);
    expect({ from, to, group_by }).to.deep.equal({ ...MARCH, group_by: ['day'] });
    const days = data.map(({ day, calls: made }) => `${day} ${made}`);
    expect(days).to.deep.equal(['2026-03-01 1', '2026-03-31 1']);
    expect(totals.calls).to.equal(2);
  });

  it('counts each call on its day in the time zone, also where clocks change', async () => {
    const { workspaceId, token } = await createUser();
    // Berlin changes to summer time on March 29, 2026, a day of 23 hours.
    for (const time of ['02-28T23:00:00.000Z', '03-28T22:59:59.999Z', '03-29T21:59:59.999Z', '03-29T22:00:00.000Z']) {
      await recordCall(workspaceId, `2026-${time}`);
    }
    const { data, timezone } = await usageOf(token, { ...MARCH, timezone: 'Europe/Berlin' });
    expect(timezone).to.equal('Europe/Berlin');
    const days = data.map(({ day, calls: made }) => `${day} ${made}`);
    expect(days).to.deep.equal(['2026-03-01 1', '2026-03-28 1', '2026-03-29 1', '2026-03-30 1']);
    expect((await usageOf(token, { ...MARCH, timezone: 'Asia/Tashkent' })).data[0]?.day).to.equal('2026-03-01');
    expect((await usageOf(token, { timezone: 'Etc/GMT-14' })).to >= (await usageOf(token)).to).to.equal(true);
    for (const wrong of ['Mars/Olympus', '+05:00', 'UTC; drop', '']) {
      const { status, paths } = await send(api, 'getUsage', { token, query: { timezone: wrong } });
      expect([status, paths], wrong).to.deep.equal([422, ['timezone']]);
    }
  });

  it('sums tokens, audio and costs, without rounding errors', async () => {
    const { workspaceId, token } = await createUser();
    for (let i = 0; i < 3; i++) await recordCall(workspaceId, '2026-03-05');
    await recordCall(workspaceId, '2026-03-05', {
      step: 'transcription',
      usage: { audio_seconds: 61.5 },
      cost_usd: 0.05,
    });
    const { data, totals } = await usageOf(token, MARCH);
    const sums = { calls: 4, sessions: 4, audio_seconds: 61.5, input_tokens: 300, output_tokens: 30, cost_usd: 0.35 };
    expect(data).to.deep.equal([{ day: '2026-03-05', ...sums, cost_known: true }]);
    expect(totals).to.deep.equal({ ...sums, cost_known: true });
  });

  it('groups in the requested order', async () => {
    const { workspaceId, token } = await createUser();
    const assistant_id = typeid('asst').toString();
    await recordCall(workspaceId, '2026-03-05', { assistant_id });
    await recordCall(workspaceId, '2026-03-06', { assistant_id });
    await recordCall(workspaceId, '2026-03-06', { assistant_id, provider: 'aisha', model: null });
    const { data } = await usageOf(token, { ...MARCH, group_by: 'provider,day' });
    const groups = data.map(({ provider, day }) => `${provider} ${day}`);
    expect(groups).to.deep.equal(['aisha 2026-03-06', 'openai 2026-03-05', 'openai 2026-03-06']);
    const byModel = await usageOf(token, { ...MARCH, group_by: 'model' });
    const models = byModel.data.map(({ model, calls: made }) => `${model} ${made}`);
    expect(models).to.have.members(['gpt-6-luna 2', 'null 1']);
    const byAssistant = await usageOf(token, { ...MARCH, group_by: 'assistant' });
    expect(byAssistant.data).to.have.length(1);
    expect(byAssistant.data[0]).to.include({ assistant_id, calls: 3 }).and.not.have.any.keys('day', 'model');
    expect(byAssistant.totals).to.deep.equal(byModel.totals);
  });

  it('counts a session once, shows unknown costs, and keeps the costs of deleted sessions', async () => {
    const { workspaceId, token } = await createUser();
    const session = await createSession(await createAssistant(workspaceId), { status: 'completed' });
    const session_id = session.id;
    for (const day of ['2026-03-05', '2026-03-05']) await recordCall(workspaceId, day, { session_id });
    await recordCall(workspaceId, '2026-03-06', { session_id, usage: null, cost_usd: null, status: 'lost' });
    await send(api, 'deleteSession', { token, params: { id: session_id } });
    const { data, totals } = await usageOf(token, MARCH);
    expect(data.map(({ sessions, cost_known, cost_usd }) => [sessions, cost_known, cost_usd])).to.deep.equal([
      [1, true, 0.2],
      [1, false, 0],
    ]);
    expect(totals).to.include({ sessions: 1, calls: 3, cost_known: false, cost_usd: 0.2 });
  });

  it("never shows another user's", async () => {
    const [owner, other] = await Promise.all([createUser(), createUser()]);
    await recordCall(owner.workspaceId, '2026-03-05');
    expect(await usageOf(other.token, MARCH)).to.deep.include({ data: [], totals: NOTHING });
  });

  it('covers the last 30 days by default, including today', async () => {
    const { workspaceId, token } = await createUser();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    for (const days of [0, 29, 30]) await recordCall(workspaceId, `${daysAgo(days)}T00:00:00Z`);
    const { from, to, totals } = await usageOf(token);
    expect([from, to]).to.deep.equal([daysAgo(29), daysAgo(0)]);
    expect(totals.calls).to.equal(2);
    expect((await usageOf(token, { to: '2026-03-31' })).from).to.equal('2026-03-02');
  });

  it('refuses invalid periods and groups', async () => {
    const { token } = await createUser();
    expect((await usageOf(token, { from: '2024-01-01', to: '2024-12-31' })).data).to.deep.equal([]);
    for (const [path, query] of [
      ['from', { from: '2024-01-01', to: '2025-01-01' }],
      ['from', { from: '2026-03-02', to: '2026-03-01' }],
      ['from', { from: '0000-01-01', to: '0000-01-02' }],
      ['to', { to: '2026-02-30' }],
      ['to', { to: '2026-03-01T00:00:00Z' }],
      ['group_by', { group_by: 'day,day' }],
      ['group_by.1', { group_by: 'day,hour' }],
      ['group_by.0', { group_by: '' }],
    ] as const) {
      const answer = await send(api, 'getUsage', { token, query });
      expect([answer.status, answer.problem.errors?.[0]?.path], JSON.stringify(query)).to.deep.equal([422, path]);
    }
  });
});
