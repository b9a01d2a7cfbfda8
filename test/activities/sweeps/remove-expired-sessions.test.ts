import { requeueSession } from '../../../db/queries/session-status.ts';
import { removeSession } from '../../../activities/sessions/remove-session.ts';
import { createRemoveExpiredSessions } from '../../../activities/sweeps/remove-expired-sessions.ts';
import { AssistantModel, type AssistantColumns } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { IdempotencyKeyModel } from '../../../db/models/idempotency-key.ts';
import { SessionReviewModel } from '../../../db/models/session-review.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sessionRemoved } from '../../../runtime/telemetry/events.ts';
import { createVoiceSession, hasRecording, testAudioStore } from '../../support/audio.ts';
import { testDatabase } from '../../support/database.ts';
import { createAssistant, createDelivery, createReview, createSession, createUser } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { testTemporal } from '../../support/temporal.ts';
import { toldDuring } from '../../support/told.ts';
import { insertCall, ledgerOf } from '../sessions/analysis.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

describe('The removal of expired sessions', () => {
  let deps: Parameters<typeof createRemoveExpiredSessions>[0];
  let workspaceId: string;
  before(async function () {
    this.timeout(0);
    const { client } = (await testTemporal()).temporal;
    deps = { audio: testAudioStore(), client, sessionRetentionDays: 0, log: silentLog };
    // Other test files leave sessions that ended long ago.
    await SessionModel.query().delete().whereNotNull('completed_at');
  });
  beforeEach(async () => {
    workspaceId = (await createUser()).user.default_workspace_id;
  });
  // Removed, because sweeps of later tests would find these rows.
  afterEach(async () => {
    await SessionModel.query().delete().where({ workspace_id: workspaceId });
    await AssistantModel.query().delete().where({ workspace_id: workspaceId });
  });

  const sweep = (sessionRetentionDays = 0, others = {}) =>
    createRemoveExpiredSessions({ ...deps, sessionRetentionDays, ...others })();

  const assistantWith = (retention_days: number | null, fields: Partial<AssistantColumns> = {}) =>
    createAssistant(workspaceId, { retention_days, ...fields });

  const endedAgo = (assistant: AssistantModel, days: number, fields: Partial<SessionModel> = {}) =>
    createSession(assistant, { status: 'completed', completed_at: daysAgo(days), ...fields });

  const left = async () =>
    (await SessionModel.query().select('id').where({ workspace_id: workspaceId }).orderBy('id')).map(({ id }) => id);

  it('removes ended tests of webhooks after the retention of the installation or of the assistant', async () => {
    const [own, others] = [await assistantWith(7), await assistantWith(null)];
    const test = async ({ id: assistant_id }: AssistantModel, endedDaysAgo: number) => {
      const ids = { id: DeliveryModel.newId(), workspace_id: workspaceId, assistant_id, workflow_id: 'w' };
      const ended = { status: 'delivered' as const, ended_at: daysAgo(endedDaysAgo) };
      await DeliveryModel.query().insert({ ...ids, ...ended, event: 'webhook.test', payload: '{}' });
      return ids.id;
    };
    const ids = [await test(own, 8), await test(own, 6), await test(others, 31), await test(others, 29)];
    const kept = async () => {
      const rows = await DeliveryModel.query().select('id').whereIn('id', ids);
      return ids.map((id) => rows.some((row) => row.id === id));
    };
    await sweep(0);
    expect(await kept()).to.deep.equal([false, true, true, true]);
    await sweep(30);
    expect(await kept()).to.deep.equal([false, true, false, true]);
  });

  it('removes the conversation from every table and the store, and keeps its cost', async () => {
    const assistant = await assistantWith(null, { type: 'voice' });
    const session = await createVoiceSession(assistant);
    const { id } = session;
    await SessionModel.query()
      .findById(id)
      .patch({ status: 'completed', completed_at: daysAgo(31) });
    const delivery = await createDelivery(session);
    const attempt = { delivery_id: delivery.id, attempt: 1, url: 'https://example.com/', request_headers: {} };
    await DeliveryAttemptModel.query().insert(attempt);
    await createReview(session);
    const key = { workspace_id: workspaceId, key: 'k', payload_hash: Buffer.alloc(32) };
    await IdempotencyKeyModel.claim({ ...key, session_id: id });
    await insertCall(session, { status: 'succeeded', cost_usd: 0.5, provider_response: { said: 'hello' } });
    expect(await hasRecording(id)).to.equal(true);
    expect(await sweep(30)).to.deep.equal({ removed: 1, kept: 0 });
    expect(await left()).to.deep.equal([]);
    expect(await DeliveryModel.query().findById(delivery.id)).to.equal(undefined);
    expect(await DeliveryAttemptModel.query().where({ delivery_id: delivery.id })).to.deep.equal([]);
    expect(await IdempotencyKeyModel.query().where({ session_id: id })).to.deep.equal([]);
    expect(await SessionReviewModel.query().where({ workspace_id: workspaceId })).to.deep.equal([]);
    expect(await testDatabase().db('session_words').where({ session_id: id })).to.deep.equal([]);
    expect(await hasRecording(id)).to.equal(false);
    const [row] = await ledgerOf(session);
    expect(row).to.include({ cost_usd: 0.5, provider_response: null });
  });

  it('removes ended sessions after the configured time, and no running ones', async () => {
    const assistant = await assistantWith(null);
    const kept = [
      await endedAgo(assistant, 29),
      await createSession(assistant, { status: 'queued', created_at: daysAgo(90), queued_at: daysAgo(90) }),
      await createSession(assistant, { status: 'analyzing', created_at: daysAgo(90), queued_at: daysAgo(90) }),
    ];
    for (const status of ['completed', 'failed', 'canceled'] as const) await endedAgo(assistant, 31, { status });
    expect(await sweep(0)).to.deep.equal({ removed: 0, kept: 0 });
    const told = await toldDuring(sessionRemoved, async () => expect((await sweep(30)).removed).to.equal(3));
    expect(told).to.deep.equal(Array.from({ length: 3 }, () => ({ reason: 'retention' })));
    expect(await left()).to.deep.equal(kept.map(({ id }) => id).sort());
  });

  it("removes sessions earlier with the assistant's retention_days, even after its deletion, but never later", async () => {
    const [week, year, silent] = [await assistantWith(7), await assistantWith(365), await assistantWith(null)];
    await endedAgo(week, 8);
    await endedAgo(year, 31);
    const kept = [await endedAgo(week, 6), await endedAgo(year, 29), await endedAgo(silent, 29)].map(({ id }) => id);
    expect((await sweep(30)).removed).to.equal(2);
    expect(await left()).to.deep.equal(kept.sort());
    await AssistantModel.deleteOwned(workspaceId, week.id);
    await SessionModel.query()
      .findById(kept[0]!)
      .patch({ completed_at: daysAgo(8) });
    expect((await sweep()).removed).to.equal(1);
    expect(await left()).to.deep.equal(kept.slice(1).sort());
  });

  it('removes all sessions, and skips sessions that cannot be removed', async () => {
    const assistant = await assistantWith(7, { type: 'voice' });
    const stuck = await endedAgo(assistant, 9);
    await Promise.all(Array.from({ length: 25 }, () => endedAgo(assistant, 8, { type: 'text' })));
    const audio = { ...deps.audio, remove: () => Promise.reject(new Error('the store is away')) };
    expect(await sweep(0, { audio })).to.deep.equal({ removed: 25, kept: 1 });
    expect(await left()).to.deep.equal([stuck.id]);
    expect(await sweep()).to.deep.equal({ removed: 1, kept: 0 });
  });

  it('keeps a session that is retried after the sweep has found it', async () => {
    const session = await createVoiceSession(await assistantWith(7, { type: 'voice' }));
    const error = { code: 'timeout', stage: 'transcription', provider: null, message: 'm', retryable: true } as const;
    const failed = { status: 'failed', completed_at: daysAgo(8), error } as const;
    await SessionModel.query().findById(session.id).patch(failed);
    const found = await SessionModel.query().findById(session.id).throwIfNotFound();
    expect(await requeueSession(session.id)).to.include({ status: 'queued' });
    expect(await removeSession(deps, found)).to.equal(false);
    expect(await left()).to.deep.equal([session.id]);
    expect(await hasRecording(session.id)).to.equal(true);
  });
});
