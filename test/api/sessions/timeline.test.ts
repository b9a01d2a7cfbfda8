import type { TimelineEntry } from '../../../contract/sessions/timeline.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import type { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createCall, createDelivery, createSession } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

/** Returns the entries in a readable form: `wait queue 1 waited, call analysis 1 succeeded`. */
const outline = (entries: readonly TimelineEntry[]) =>
  entries.map(({ kind, step, attempt, status }) => `${kind} ${step} ${attempt} ${status}`).join(', ');

describe('GET /v1/sessions/{id}/timeline', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  const read = async (id: string) =>
    (await send(service.api, 'getSessionTimeline', { token: owner.token, params: { id } })).body.data;

  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 9) + seconds * 1_000);

  /** Adds a call that starts and ends at these seconds. */
  async function addCall(
    session: SessionModel,
    { step = 'analysis', attempt = 1, from, to, ...fields }: Partial<ProviderCallModel> & { from: number; to?: number },
  ): Promise<void> {
    const times = { started_at: at(from), ended_at: to === undefined ? null : at(to) };
    await createCall(session, {
      step,
      attempt,
      ...times,
      status: to === undefined ? 'running' : 'succeeded',
      ...fields,
    });
  }

  const addSession = (fields: Partial<SessionModel> = {}) =>
    createSession(owner.assistant, { created_at: at(0), queued_at: at(0), ...fields });

  it('shows each call with cost and error, and each wait, in order of time', async () => {
    const id = await owner.submit('[provider status=503 times=1]');
    await owner.untilEnded(id);
    const entries = await read(id);
    expect(outline(entries)).to.equal(
      'wait queue 1 waited, call analysis 1 failed, wait analysis 2 waited, call analysis 2 succeeded',
    );
    const [queue, failed, pause, succeeded] = entries as [TimelineEntry, TimelineEntry, TimelineEntry, TimelineEntry];
    const { llm_model: model } = owner.assistant;
    expect(failed).to.deep.include({ provider: 'openai', model, cost_usd: 0, usage: null });
    expect(failed.error).to.deep.include({ code: 'unavailable', http_status: 503 });
    expect(succeeded).to.deep.include({ provider: 'openai', model, error: null });
    expect(succeeded.usage?.input_tokens).to.be.greaterThan(0);
    expect(succeeded.cost_usd).to.equal((await owner.read(id)).total_cost);
    expect(succeeded.provider_request_id).to.be.a('string');
    expect(queue.ended_at).to.equal(failed.started_at);
    expect([pause.started_at, pause.ended_at]).to.deep.equal([failed.ended_at, succeeded.started_at]);
    // The first delay before a retry: activities/sessions/run-step.ts
    expect(pause.duration_ms).to.be.greaterThan(900);
    for (const { started_at, ended_at, duration_ms } of entries)
      expect(duration_ms).to.equal(Date.parse(ended_at ?? '') - Date.parse(started_at));
  });

  it('shows running calls and waits', async () => {
    service.providers.hang();
    const id = await owner.submit();
    const [, call] = await eventually(
      () => read(id),
      ({ length }) => length > 1,
    );
    expect(call).to.include({ status: 'running', ended_at: null, duration_ms: null });
    const waiting = await addSession();
    const [queue, ...rest] = await read(waiting.id);
    expect(queue).to.include({ kind: 'wait', step: 'queue', status: 'waiting', ended_at: null });
    expect(rest).to.deep.equal([]);
  });

  it('shows transcription and analysis with the wait between them', async () => {
    const session = await addSession({ type: 'voice', status: 'completed', completed_at: at(9) });
    const heard = { step: 'transcription', provider: 'whisper', usage: { audio_seconds: 60 } } as const;
    await addCall(session, { ...heard, from: 1, to: 4 });
    await addCall(session, { from: 5, to: 9 });
    const entries = await read(session.id);
    expect(outline(entries)).to.equal(
      'wait queue 1 waited, call transcription 1 succeeded, wait analysis 1 waited, call analysis 1 succeeded',
    );
    expect(entries.map(({ duration_ms }) => duration_ms)).to.deep.equal([1_000, 3_000, 1_000, 4_000]);
    expect(entries[1]?.usage).to.deep.equal({ audio_seconds: 60 });
  });

  it('shows what a running session waits for, and ends the wait if the session is canceled', async () => {
    const lastOf = async (session: SessionModel) => (await read(session.id)).at(-1);
    const failing = await addSession({ status: 'analyzing' });
    await addCall(failing, { from: 1, to: 2, status: 'failed' });
    expect(await lastOf(failing)).to.include({ step: 'analysis', attempt: 2, status: 'waiting' });
    const transcribed = await addSession({ type: 'voice', status: 'transcribing' });
    await addCall(transcribed, { step: 'transcription', from: 1, to: 2 });
    expect(await lastOf(transcribed)).to.include({ step: 'analysis', attempt: 1, status: 'waiting' });
    const canceled = await addSession({ status: 'canceled', completed_at: at(7) });
    await addCall(canceled, { from: 1, to: 2, status: 'failed' });
    const ended_at = at(7).toISOString();
    expect(await lastOf(canceled)).to.include({ kind: 'wait', attempt: 2, status: 'waited', ended_at });
    const unstarted = await addSession({ status: 'canceled', completed_at: at(3) });
    expect(outline(await read(unstarted.id))).to.equal('wait queue 1 waited');
  });

  it('shows no duration for a lost call', async () => {
    const session = await addSession({ status: 'completed', completed_at: at(9) });
    await addCall(session, { from: 1, status: 'lost' });
    await addCall(session, { from: 5, to: 9, attempt: 2 });
    const entries = await read(session.id);
    expect(outline(entries)).to.equal('wait queue 1 waited, call analysis 1 lost, call analysis 2 succeeded');
    expect(entries[1]).to.include({ ended_at: null, duration_ms: null, cost_usd: null });
  });

  it('leaves out the time between a failure and its retry', async () => {
    const earlier_runs = [{ queued_at: at(0).toISOString(), ended_at: at(2).toISOString() }];
    const session = await addSession({
      queued_at: at(1_000),
      earlier_runs,
      status: 'completed',
      completed_at: at(1_005),
    });
    await addCall(session, { from: 1, to: 2, status: 'failed' });
    await addCall(session, { from: 1_001, to: 1_005, attempt: 2 });
    const entries = await read(session.id);
    expect(outline(entries)).to.equal(
      'wait queue 1 waited, call analysis 1 failed, wait queue 2 waited, call analysis 2 succeeded',
    );
    expect(entries.map(({ duration_ms }) => duration_ms)).to.deep.equal([1_000, 1_000, 1_000, 4_000]);
  });

  describe('shows attempts of a delivery:', () => {
    it('the wait for the next one, with its due time', async () => {
      const receiver = await stopAfterTest(startReceiver((response) => response.writeHead(503).end()));
      owner = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
      const id = await owner.submit();
      const entries = await eventually(
        () => read(id),
        (found) => found.some(({ step, attempt }) => step === 'delivery' && attempt === 2),
      );
      const { delivery } = await owner.read(id);
      expect(outline(entries.slice(2))).to.equal(
        'wait delivery 1 waited, call delivery 1 failed, wait delivery 2 waiting',
      );
      expect(entries.slice(2).map(({ delivery_id }) => delivery_id)).to.deep.equal(
        Array(3).fill(delivery?.delivery_id),
      );
      expect(entries[3]?.error).to.deep.include({ code: 'http_status', http_status: 503 });
      expect(entries[4]).to.include({ due_at: delivery?.next_attempt_at, ended_at: null });
    });

    it('lost ones without a duration, and the end of a stopped delivery', async () => {
      const session = await addSession({ status: 'completed', completed_at: at(2) });
      const delivery = await createDelivery(session);
      await delivery.$query().patch({ created_at: at(2), status: 'stopped', ended_at: at(60), next_attempt_at: null });
      const attempts = { delivery_id: delivery.id, url: 'https://example.com/', request_headers: {} };
      const lost = { outcome: 'failed' as const, failure: 'worker_lost' as const };
      const refused = {
        outcome: 'failed' as const,
        failure: 'http_status' as const,
        status_code: 500,
        duration_ms: 250,
      };
      await DeliveryAttemptModel.query().insert({ ...attempts, attempt: 1, started_at: at(3), ...lost });
      await DeliveryAttemptModel.query().insert({ ...attempts, attempt: 2, started_at: at(33), ...refused });
      const entries = (await read(session.id)).filter(({ step }) => step === 'delivery');
      expect(outline(entries)).to.equal(
        'wait delivery 1 waited, call delivery 1 lost, call delivery 2 failed, wait delivery 3 waited',
      );
      expect(entries.map(({ duration_ms }) => duration_ms)).to.deep.equal([1_000, null, 250, 26_750]);
    });
  });
});
