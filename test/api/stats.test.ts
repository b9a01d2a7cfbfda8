import { expect } from 'chai';
import { getStats } from '../../contract/stats.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import { createAssistant, createDelivery, createOwner, createSession, createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

/** Noon of a day, and some milliseconds after it. */
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
    (await send(api, getStats, { token, query: { ...PERIOD, ...query } })).body;

  /** A session that waited `waitMs`, was called for `callMs` and then had ended. */
  async function ran(start: number, { waitMs = 10, callMs = 100, by = assistant } = {}): Promise<SessionModel> {
    const session = await createSession(by, {
      status: 'completed',
      ...{ created_at: at(start), queued_at: at(start), completed_at: at(start + waitMs + callMs) },
    });
    await VendorCallModel.query().insert({
      ...{ session_id: session.id, user_id: by.user_id, assistant_id: by.id, step: 'analysis', attempt: 1 },
      ...{ provider: 'openai', status: 'succeeded' },
      ...{ started_at: at(start + waitMs), ended_at: at(start + waitMs + callMs) },
    });
    return session;
  }

  it('counts sessions, deliveries and failed attempts by what became of them', async () => {
    const session = await ran(0);
    await createSession(assistant, { status: 'failed', created_at: at(1) });
    await createSession(assistant, { status: 'queued', created_at: at(2) });
    const delivery = await createDelivery(session);
    await DeliveryModel.query()
      .findById(delivery.id)
      .patch({ created_at: at(3), status: 'failed' });
    for (const [index, failure] of (['timeout', 'timeout', 'dns', null] as const).entries()) {
      const attempt = {
        delivery_id: delivery.id,
        attempt: index + 1,
        url: 'https://example.com/',
        request_headers: {},
      };
      await DeliveryAttemptModel.open(attempt);
      await DeliveryAttemptModel.close(delivery.id, index + 1, { failure, next_attempt_at: null });
    }
    const { data, totals } = await read();
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ start: '2026-06-15T00:00:00.000Z' });
    const none = { transcribing: 0, analyzing: 0, canceled: 0 };
    expect(totals.sessions).to.deep.equal({ queued: 1, completed: 1, failed: 1, ...none });
    expect(totals.deliveries).to.deep.equal({ pending: 0, delivered: 0, failed: 1, stopped: 0 });
    expect(totals.attempt_failures).to.include({ timeout: 2, dns: 1, http_status: 0 });
    const { start: _start, ...day } = data[0]!;
    expect(day).to.deep.equal(totals);
  });

  it('gives percentiles of each step, of an interval and of all', async () => {
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
    const other = await createAssistant(assistant.user_id);
    await ran(0);
    await ran(HOUR_MS);
    await ran(HOUR_MS + 1, { by: other });
    const starts = async (query: Record<string, string>) =>
      (await read(query)).data.map(({ start, assistant_id, sessions }) => [start, assistant_id, sessions.completed]);
    expect(await starts({ interval: 'hour' })).to.deep.equal([
      ['2026-06-15T12:00:00.000Z', undefined, 1],
      ['2026-06-15T13:00:00.000Z', undefined, 2],
    ]);
    expect(await starts({ interval: 'day', group_by: 'assistant' })).to.have.deep.members([
      ['2026-06-15T00:00:00.000Z', assistant.id, 2],
      ['2026-06-15T00:00:00.000Z', other.id, 1],
    ]);
  });

  it("counts from `from` on and before `to`, and nobody else's", async () => {
    const stranger = await createUser();
    await ran(0, { by: await createAssistant(stranger.user.id) });
    await ran(0);
    await ran(HOUR_MS);
    const { totals } = await read({ from: '2026-06-15T12:00:00Z', to: '2026-06-15T13:00:00Z' });
    expect(totals.sessions.completed).to.equal(1);
    expect(totals.latency_ms.total).to.deep.equal({ p50: 110, p95: 110 });
  });

  it('waits of a retried session count from its last time in the queue', async () => {
    const session = await ran(0, { waitMs: 10 });
    await session.$query().patch({ queued_at: at(HOUR_MS) });
    await VendorCallModel.query().insert({
      ...{
        session_id: session.id,
        user_id: assistant.user_id,
        assistant_id: assistant.id,
        step: 'analysis',
        attempt: 2,
      },
      ...{ provider: 'openai', status: 'failed', started_at: at(HOUR_MS + 30), ended_at: at(HOUR_MS + 40) },
    });
    expect((await read()).totals.latency_ms.queue).to.deep.equal({ p50: 30, p95: 30 });
  });

  it('takes the last 30 days, or the last day by hour, where nothing is said', async () => {
    for (const [interval, days] of [
      ['day', 30],
      ['hour', 1],
    ] as const) {
      const { from, to, data } = (await send(api, getStats, { token, query: { interval } })).body;
      expect(Date.parse(to) - Date.parse(from)).to.equal(days * 24 * HOUR_MS);
      expect(Date.now() - Date.parse(to)).to.be.within(0, 10_000);
      expect(data).to.deep.equal([]);
    }
  });

  it('refuses a period that is empty or too long, and names the field', async () => {
    for (const query of [
      { from: PERIOD.to, to: PERIOD.from },
      { from: PERIOD.to, to: PERIOD.to },
      { from: '2025-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' },
      { from: '2026-06-01T00:00:00Z', to: '2026-06-16T00:00:00Z', interval: 'hour' },
    ]) {
      const { problem } = await send(api, getStats, { token, query });
      expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['from']);
    }
  });
});
