/** A call that took place before its submission counts at its own time: in lists, results, accuracy, statistics and files. */
import { API_BASE } from '../../../contract/values/constants.ts';
import { SessionSchema, type Session } from '../../../contract/sessions/sessions.ts';
import { send, sendRaw } from '../../support/api.ts';
import { createAnswered, createAssistant, createOwner, createReview, says, VOICE } from '../../support/factories.ts';
import { submitVoice } from '../../support/voice.ts';
import { useSharedService } from '../../support/shared-service.ts';

const DAY_MS = 86_400_000;
const FIELDS = [{ name: 'resolved', type: 'boolean', description: 'Was it?', evidence: true } as const];
const CALL = '2026-03-10T20:00:00.000Z';

describe('A conversation of another time', () => {
  const service = useSharedService();
  let owner: Awaited<ReturnType<typeof createOwner>>;
  beforeEach(async () => {
    owner = await createOwner({ fields: FIELDS });
  });

  const of = (query: Record<string, string>) => ({ token: owner.token, params: { id: owner.assistant.id }, query });
  const list = async (query: Record<string, string>) =>
    (await send(service.api, 'listSessions', { token: owner.token, query })).body;

  async function submit(occurred_at?: string, headers: Record<string, string> = { prefer: 'respond-async' }) {
    const body = {
      assistant_id: owner.assistant.id,
      conversation: says('Hello.'),
      ...(occurred_at && { occurred_at }),
    };
    return send(service.api, 'submitTextRequest', { token: owner.token, headers, body });
  }

  it('is accepted with its time in each kind of request, at most a day ahead and ten years back', async () => {
    expect((await submit('2026-03-11T01:00:00+05:00')).body.occurred_at).to.equal(CALL);
    const { body } = await submit();
    expect(body.occurred_at).to.equal(body.created_at);
    for (const [ageMs, paths] of [
      [3_652 * DAY_MS, []],
      [3_653 * DAY_MS, ['occurred_at']],
      [60_000 - DAY_MS, []],
      [-60_000 - DAY_MS, ['occurred_at']],
    ] as const) {
      const answer = await submit(new Date(Date.now() - ageMs).toISOString());
      expect(answer.status === 202 ? [] : answer.paths, `${ageMs}`).to.deep.equal(paths);
    }
    expect((await submit('2026-03-10')).paths).to.deep.equal(['occurred_at']);
    const { id: assistant_id } = await createAssistant(owner.workspaceId, VOICE);
    const call = { token: owner.token, headers: { Prefer: 'respond-async' } };
    const form = { ...call, assistantId: assistant_id, fields: { occurred_at: CALL } };
    expect((await submitVoice(service.api, form)).occurred_at).to.equal(CALL);
    const json = JSON.stringify({ assistant_id, audio_url: 'http://127.0.0.1:4999/call.mp3', occurred_at: CALL });
    const headers = { ...call.headers, 'Content-Type': 'application/json' };
    const linked = await sendRaw(service.api, 'POST', '/v1/requests/voice', { ...call, headers, body: json });
    expect(SessionSchema.parse(linked.body).occurred_at).to.equal(CALL);
  });

  it('is another request under the same idempotency key', async () => {
    const headers = { prefer: 'respond-async', 'idempotency-key': 'k1' };
    const first = await submit(CALL, headers);
    expect((await submit(CALL, headers)).body.session_id).to.equal(first.body.session_id);
    for (const other of ['2026-03-10T20:00:01Z', undefined])
      expect((await submit(other, headers)).problem.code).to.equal('idempotency_key_reused');
  });

  it('is filtered and sorted by its time, among those without one, page by page', async () => {
    const add = (occurred_at: string | null, created_at = new Date()) =>
      createAnswered(
        owner.assistant,
        { resolved: true },
        {
          occurred_at: occurred_at === null ? null : new Date(occurred_at),
          created_at,
        },
      );
    const rows = [await add(CALL), await add(null), await add('2026-03-09T00:00:00Z'), await add(CALL)];
    const ids = rows.map(({ id }) => id);
    const walk = async (sort: string) => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Awaited<ReturnType<typeof list>> = await list({ sort, limit: '1', ...(cursor && { cursor }) });
        found.push(...page.data.map(({ session_id }) => session_id));
        cursor = page.next_cursor;
      }
      return found;
    };
    const ascending = [ids[2], ids[0], ids[3], ids[1]];
    expect(await walk('occurred_at')).to.deep.equal(ascending);
    expect(await walk('-occurred_at')).to.deep.equal(ascending.toReversed());
    const within = await list({ occurred_after: '2026-03-10T00:00:00Z', occurred_before: '2026-03-11T00:00:00Z' });
    expect(within.data.map(({ session_id }) => session_id)).to.deep.equal([ids[3], ids[0]]);
  });

  it('counts at its day in results, accuracy and statistics, and the time of its submission counts in none', async () => {
    const old = await createAnswered(
      owner.assistant,
      { resolved: true },
      {
        occurred_at: new Date(CALL),
      },
    );
    await createReview(old, { answers: { resolved: true }, sampled: true });
    const today = new Date().toISOString().slice(0, 10);
    for (const [query, count] of [
      [{ from: '2026-03-10', to: '2026-03-10' }, 1],
      [{ from: '2026-03-10', to: '2026-03-10', timezone: 'Asia/Tashkent' }, 0],
      [{ from: '2026-03-11', to: '2026-03-11', timezone: 'Asia/Tashkent' }, 1],
      [{ from: today, to: today }, 0],
    ] as const) {
      const results = (await send(service.api, 'getAssistantResults', of(query))).body;
      expect(
        results.fields[0]?.by_day.map(({ day }) => day),
        JSON.stringify(query),
      ).to.have.length(count);
      expect((await send(service.api, 'getAssistantAccuracy', of(query))).body.sampled, JSON.stringify(query)).to.equal(
        count,
      );
    }
    const query = { from: '2026-03-10T00:00:00Z', to: '2026-03-12T00:00:00Z' };
    const { totals, data } = (await send(service.api, 'getStats', { token: owner.token, query })).body;
    expect([totals.sessions.completed, data.map(({ start }) => start)]).to.deep.equal([
      1,
      ['2026-03-10T00:00:00.000Z'],
    ]);
  });

  it('passes its time to its reanalysis, and files show both times', async () => {
    const { id } = await createAnswered(owner.assistant, { resolved: true });
    const params = { id };
    const { body } = await send(service.api, 'reanalyzeSession', { token: owner.token, params, body: {} });
    const source = (await list({ session_id: id })).data[0];
    expect((body as Session).occurred_at).to.equal(source?.created_at);
    const url = `${service.api.url}${API_BASE}/v1/exports/sessions?session_id=${id}`;
    const text = await (await fetch(url, { headers: { Authorization: `Bearer ${owner.token}` } })).text();
    expect(text).to.contain('created_at,occurred_at,').and.to.contain(source?.occurred_at);
  });
});
