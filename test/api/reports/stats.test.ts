import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import {
  createAssistant,
  createCall,
  createDelivery,
  createOwner,
  createSession,
  openAttempt,
} from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

/** Returns noon of a day, plus `ms`. */
const NOON = Date.UTC(2026, 5, 15, 12);
const at = (ms: number) => new Date(NOON + ms);
const HOUR_MS = 3_600_000;
const PERIOD = { from: '2026-06-15T00:00:00Z', to: '2026-06-17T00:00:00Z' };

describe('GET /v1/stats', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const read = async (query: Record<string, string> = {}) =>
    (await send(api, 'getStats', { token, query: { ...PERIOD, ...query } })).body;

  /** Creates a session that waited `waitMs`, was analyzed for `callMs`, and ended. */
  async function ran(start: number, { waitMs = 10, callMs = 100, by = assistant } = {}): Promise<SessionModel> {
    const session = await createSession(by, {
      status: 'completed',
      created_at: at(start),
      queued_at: at(start),
      completed_at: at(start + waitMs + callMs),
    });
    await createCall(session, { started_at: at(start + waitMs), ended_at: at(start + waitMs + callMs) });
    return session;
  }

  it("begins days at midnight in the request's time zone", async () => {
    const { id } = await ran(0);
    await SessionModel.query()
      .findById(id)
      .patch({ created_at: new Date('2026-06-15T20:00:00Z') });
    const starts = async (query: Record<string, string>) =>
      (await read(query)).data.filter(({ sessions }) => sessions.completed === 1).map(({ start }) => start);
    expect(await starts({})).to.deep.equal(['2026-06-15T00:00:00.000Z']);
    expect(await starts({ timezone: 'Asia/Tashkent' })).to.deep.equal(['2026-06-15T19:00:00.000Z']);
  });

  it('counts sessions, deliveries and failed attempts by status', async () => {
    const session = await ran(0);
    await createSession(assistant, { status: 'failed', created_at: at(1) });
    await createSession(assistant, { status: 'queued', created_at: at(2) });
    const delivery = await createDelivery(session);
    await DeliveryModel.query()
      .findById(delivery.id)
      .patch({ created_at: at(3), status: 'failed' });
    for (const [index, failure] of (['timeout', 'timeout', 'dns', null] as const).entries()) {
      await openAttempt(delivery.id, index + 1);
      await DeliveryAttemptModel.close(delivery.id, index + 1, { failure, next_attempt_at: null });
    }
    const { data, totals } = await read();
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ start: '2026-06-15T00:00:00.000Z' });
    const none = { fetching: 0, transcribing: 0, analyzing: 0, canceled: 0 };
    expect(totals.sessions).to.deep.equal({ queued: 1, completed: 1, failed: 1, ...none });
    expect(totals.deliveries).to.deep.equal({ pending: 0, delivered: 0, failed: 1, stopped: 0 });
    expect(totals.undelivered).to.equal(1);
    await createDelivery(session).then((later) =>
      later.$query().patch({ created_at: at(4), status: 'delivered', replayed_from: delivery.id }),
    );
    expect((await read()).totals).to.deep.include({
      undelivered: 0,
      deliveries: { pending: 0, delivered: 1, failed: 1, stopped: 0 },
    });
    expect(totals.attempt_failures).to.include({ timeout: 2, dns: 1, http_status: 0 });
    const { start: _start, ...day } = data[0]!;
    expect(day).to.deep.equal(totals);
  });

  it('returns percentiles of each step, per interval and in total', async () => {
    for (let number = 0; number <= 20; number++) await ran(number, { waitMs: 5 * number, callMs: 50 * number });
    await ran(24 * HOUR_MS, { waitMs: 7, callMs: 5 });
    const { data, totals } = await read();
    expect(data[0]?.latency_ms).to.deep.equal({
      queue: { p50: 50, p95: 95 },
      transcription: null,
      analysis: { p50: 500, p95: 950 },
      total: { p50: 550, p95: 1045 },
    });
    expect(data[1]?.latency_ms).to.deep.include({ queue: { p50: 7, p95: 7 }, analysis: { p50: 5, p95: 5 } });
    expect(totals.latency_ms.analysis?.p50).to.equal(475);
  });

  it('groups by hour or day in UTC, and by assistant', async () => {
    const other = await createAssistant(assistant.workspace_id);
    await ran(0);
    await ran(HOUR_MS);
    await ran(HOUR_MS + 1, { by: other });
    const starts = async (query: Record<string, string>) =>
      (await read(query)).data.map(
        ({ start, assistant_id, sessions }) => `${start.slice(0, 13)} ${assistant_id ?? 'all'} ${sessions.completed}`,
      );
    expect(await starts({ interval: 'hour' })).to.deep.equal(['2026-06-15T12 all 1', '2026-06-15T13 all 2']);
    const byDay = await starts({ interval: 'day', group_by: 'assistant' });
    expect(byDay).to.have.members([`2026-06-15T00 ${assistant.id} 2`, `2026-06-15T00 ${other.id} 1`]);
  });

  it('counts no reanalysis, trial or running call, and adds up the cost', async () => {
    const original = await ran(0);
    for (const fields of [{ source_session_id: original.id }, { trial: true }]) {
      const experiment = await createSession(assistant, {
        status: 'failed',
        created_at: at(1),
        queued_at: at(1),
        ...fields,
      });
      await createCall(experiment, { started_at: at(2), ended_at: at(9_000), cost_usd: 7 });
    }
    const call = { started_at: at(20), ended_at: at(30), status: 'failed' } as const;
    await createCall(original, { ...call, attempt: 2, cost_usd: 0.25 });
    await createCall(original, { ...call, step: 'transcription', cost_usd: 0.5, started_at: at(24 * HOUR_MS) });
    const { data, totals } = await read();
    expect(totals.sessions).to.include({ completed: 1, failed: 0 });
    expect(totals.latency_ms).to.deep.include({ queue: { p50: 10, p95: 10 }, analysis: { p50: 100, p95: 100 } });
    expect(totals).to.include({ cost_usd: 0.75, cost_known: false });
    expect(data.map(({ cost_usd }) => cost_usd)).to.deep.equal([0.25, 0.5]);
    await createCall(original, { started_at: at(40), status: 'running', attempt: 3 });
    await ProviderCallModel.query()
      .patch({ cost_usd: 0 })
      .where({ session_id: original.id, attempt: 1, step: 'analysis' });
    expect((await read()).totals).to.include({ cost_usd: 0.75, cost_known: true });
  });

  it('lists the hosts with failed or retrying deliveries, most failures first', async () => {
    const post = async (url: string, { status = 'failed', failure = 'http_status', created_at = at(3) } = {}) => {
      const { id } = await createDelivery(await ran(0));
      await DeliveryModel.query()
        .findById(id)
        .patch({ created_at, status } as Partial<DeliveryModel>);
      await DeliveryAttemptModel.open({ delivery_id: id, attempt: 1, url, request_headers: {} });
      await DeliveryAttemptModel.close(id, 1, { failure, status_code: 503, next_attempt_at: null } as never);
    };
    await post('https://crm.example.com:8443/hook?secret=1');
    await post('https://crm.example.com:8443/other', { status: 'pending', failure: 'timeout' });
    await post('http://hooks.example.org');
    await post('https://up.example.com', { status: 'delivered' });
    await post('https://earlier.example.com', { created_at: at(-24 * HOUR_MS) });
    const stranger = await createOwner();
    await createDelivery(await ran(0, { by: stranger.assistant }));
    const [first, ...others] = (await read()).receivers;
    expect(first).to.deep.include({
      host: 'crm.example.com:8443',
      failed: 1,
      retrying: 1,
      assistant_ids: [assistant.id],
    });
    expect(first).to.include({ last_failure: 'timeout', last_status_code: 503 });
    expect(others.map(({ host, failed, retrying }) => [host, failed, retrying])).to.deep.equal([
      ['hooks.example.org', 1, 0],
    ]);
  });

  it("counts from `from` (inclusive) to `to` (exclusive), only the user's own", async () => {
    await ran(0, { by: (await createOwner()).assistant });
    await ran(0);
    await ran(HOUR_MS);
    const { totals } = await read({ from: '2026-06-15T12:00:00Z', to: '2026-06-15T13:00:00Z' });
    expect(totals.sessions.completed).to.equal(1);
    expect(totals.latency_ms.total).to.deep.equal({ p50: 110, p95: 110 });
  });

  it('measures the wait of a retried session from when it was last queued', async () => {
    const session = await ran(0, { waitMs: 10 });
    await session.$query().patch({ queued_at: at(HOUR_MS) });
    const failed = { status: 'failed', started_at: at(HOUR_MS + 30), ended_at: at(HOUR_MS + 40) } as const;
    await createCall(session, { attempt: 2, ...failed });
    expect((await read()).totals.latency_ms.queue).to.deep.equal({ p50: 30, p95: 30 });
  });

  it('covers the last 30 days by default, or the last day by hour', async () => {
    for (const [interval, days] of [
      ['day', 30],
      ['hour', 1],
    ] as const) {
      const { from, to, data } = (await send(api, 'getStats', { token, query: { interval } })).body;
      expect(Date.parse(to) - Date.parse(from)).to.equal(days * 24 * HOUR_MS);
      expect(Date.now() - Date.parse(to)).to.be.within(0, 10_000);
      expect(data).to.deep.equal([]);
    }
  });

  it('refuses an empty or too long period, and names the field', async () => {
    for (const query of [
      { from: PERIOD.to, to: PERIOD.from },
      { from: PERIOD.to, to: PERIOD.to },
      { from: '2025-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' },
      { from: '2026-06-01T00:00:00Z', to: '2026-06-16T00:00:00Z', interval: 'hour' },
    ]) {
      expect((await send(api, 'getStats', { token, query })).paths).to.deep.equal(['from']);
    }
  });
});
