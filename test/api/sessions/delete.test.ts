import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../../contract/sessions/sessions.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { eraseSession } from '../../../db/queries/erase-session.ts';
import { send } from '../../support/api.ts';
import { audioFolder, createVoiceSession, hasRecording } from '../../support/audio.ts';
import { findTables } from '../../support/database.ts';
import { startApiWithoutTemporal } from '../../support/api-without-temporal.ts';
import { eventually } from '../../support/eventually.ts';
import { createSession, says } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { untilWorkflowEnds } from '../../support/temporal.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

describe('DELETE /v1/sessions/{id}', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  const submitAndWait = (headers = {}) => {
    const body = { assistant_id: owner.assistant.id, conversation: says('Hello.') };
    return send(service.api, 'submitTextRequest', { token: owner.token, headers, body });
  };

  const remove = (id: string, api = service.api) => send(api, 'deleteSession', { token: owner.token, params: { id } });

  const readStatus = async (id: string) =>
    (await send(service.api, 'getSession', { token: owner.token, params: { id } })).status;

  const callsOf = async (id: string) => ProviderCallModel.query().where({ session_id: id }).orderBy('attempt');

  /** Returns a unique word. */
  const newMarker = () => `marker${crypto.randomUUID().replaceAll('-', '')}`;

  it('deletes the content from every table, and keeps the costs', async () => {
    const marker = newMarker();
    const receiver = await stopAfterTest(startReceiver((response, { body }) => response.writeHead(503).end(body)));
    owner = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
    const body = { assistant_id: owner.assistant.id, conversation: says(`Hello ${marker}.`) };
    const headers = { 'Idempotency-Key': marker };
    const { session_id: id } = (await send(service.api, 'submitTextRequest', { token: owner.token, headers, body }))
      .body;
    const tables = 6; // deliveries, delivery_attempts, idempotency_keys, session_words, sessions, provider_calls
    await eventually(async () => (await findTables(marker)).length, tables);
    const before = await callsOf(id);
    const { status } = await remove(id);
    expect(status).to.equal(204);
    expect(await findTables(marker)).to.deep.equal([]);
    const [call, ...others] = await callsOf(id);
    expect(others).to.deep.equal([]);
    expect(call).to.deep.equal({ ...before[0], provider_response: null });
    expect(call?.cost_usd).to.be.greaterThan(0);
    expect(await readStatus(id)).to.equal(404);
  });

  it('removes the recording', async () => {
    const { id } = await createVoiceSession(owner.assistant, { status: 'completed' });
    expect((await remove(id)).status).to.equal(204);
    expect(await hasRecording(id)).to.equal(false);
  });

  it('deletes nothing if the recording cannot be removed, and can then be repeated', async () => {
    const audio = { file_name: 'a.mp3', media_type: 'audio/mpeg', bytes: 1, sha256: '', duration_s: 1 };
    const { id } = await createSession(owner.assistant, { type: 'voice' });
    await SessionModel.query()
      .patch({ audio: { ...audio, key: id } })
      .where({ id });
    // A folder in place of the file, because the store cannot remove a folder.
    mkdirSync(join(audioFolder(), id));
    expect((await remove(id)).problem.code).to.equal('unavailable');
    expect(await readStatus(id)).to.equal(200);
  });

  it('stops a running session: its call ends, and no further call is made', async () => {
    service.providers.hang();
    const id = await owner.submit();
    await owner.untilCalled(id);
    expect((await remove(id)).status).to.equal(204);
    await untilWorkflowEnds(id);
    const [call] = await callsOf(id);
    expect(call).to.deep.include({ status: 'failed', provider_response: null });
    expect(call?.error).to.include({ fault: 'canceled' });
  });

  it('keeps only the cost of a response that arrives later', async () => {
    const marker = newMarker();
    service.providers.hang();
    const id = await owner.submit(`Hello ${marker}.`);
    await owner.untilCalled(id);
    // Simulates a crash of the API before it cancels the workflow.
    expect(await eraseSession(id)).to.deep.equal({ workflowIds: [id], followUps: 0 });
    await service.providers.pass();
    const [call] = await eventually(
      () => callsOf(id),
      ([found]) => found?.status === 'succeeded',
    );
    expect(call?.cost_usd).to.be.greaterThan(0);
    expect(call?.provider_response).to.equal(null);
    await untilWorkflowEnds(id);
    expect(await findTables(marker)).to.deep.equal([]);
  });

  it('keeps only the cost of a response that arrives at the same moment', async () => {
    const deleteAtOnce = async () => {
      const marker = newMarker();
      const id = await owner.submit(`Hello ${marker}.`);
      await eraseSession(id);
      await untilWorkflowEnds(id);
      expect(await findTables(marker)).to.deep.equal([]);
      const calls = await callsOf(id);
      expect(calls.filter(({ status, cost_usd }) => status === 'succeeded' && !cost_usd)).to.deep.equal([]);
    };
    await Promise.all(Array.from({ length: 10 }, deleteAtOnce));
  });

  it('stops its deliveries', async () => {
    const receiver = await stopAfterTest(startReceiver((response) => response.writeHead(503).end()));
    owner = await createSessionOwner(() => service.api, {
      webhook_url: receiver.url,
      webhook_events: ['session.completed', 'session.failed'],
    });
    const completed = await owner.submit();
    const failed = await owner.submit('[provider status=400]');
    await receiver.until(2);
    const planned = () =>
      DeliveryModel.query().whereIn('session_id', [completed, failed]).whereNotNull('next_attempt_at');
    await eventually(async () => (await planned()).length, 2);
    const [announcement] = await DeliveryModel.query().where({ session_id: failed });
    await Promise.all([remove(completed), remove(failed)]);
    expect(await untilWorkflowEnds(completed)).to.equal('CANCELLED');
    expect(await untilWorkflowEnds(announcement!.workflow_id)).to.equal('CANCELLED');
    expect(receiver.requests).to.have.length(2);
  });

  it('ends the requests of clients that wait for the result', async () => {
    service.providers.hang();
    const waiting = submitAndWait();
    const running = { workspace_id: owner.assistant.workspace_id, status: 'analyzing' } as const;
    const row = await eventually(
      async () => SessionModel.query().findOne(running),
      (found) => found !== undefined,
    );
    await remove(row!.id);
    expect((await waiting).problem.detail).to.contain('deleted');
  });

  it('frees the Idempotency-Key: the same request creates a new session', async () => {
    const headers = { 'Idempotency-Key': newMarker() };
    const { session_id: id } = (await submitAndWait(headers)).body;
    await remove(id);
    const again = (await submitAndWait(headers)).body;
    expect(again.session_id).not.to.equal(id);
    expect(again.status).to.equal('completed');
  });

  it('keeps reanalyses of the session', async () => {
    const id = await owner.submit();
    await owner.untilEnded(id);
    const params = { id };
    const answer = await send(service.api, 'reanalyzeSession', { token: owner.token, params, body: {} });
    const made = answer.body as Session;
    await remove(id);
    expect(await owner.read(made.session_id)).to.deep.equal(made);
  });

  it('works during an outage of Temporal: the workflow ends later', async () => {
    service.providers.hang();
    const id = await owner.submit();
    const api = await stopAfterTest(startApiWithoutTemporal(service.env));
    expect((await remove(id, api)).status).to.equal(204);
    await service.providers.pass();
    await untilWorkflowEnds(id);
    expect(await readStatus(id)).to.equal(404);
  });
});
