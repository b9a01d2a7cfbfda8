import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { getSessionAudio, getSession } from '../../contract/sessions.ts';
import { deleteSession, reanalyzeSession } from '../../contract/session-operations.ts';
import type { Session } from '../../contract/sessions.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { eraseSession } from '../../db/queries/erase-session.ts';
import { AudioMissingError } from '../../runtime/audio/errors.ts';
import { send } from '../support/api.ts';
import { audioFolder, createVoiceSession, testAudioStore } from '../support/audio.ts';
import { findTables } from '../support/database.ts';
import { startApiWithoutTemporal } from '../support/api-without-temporal.ts';
import { eventually } from '../support/eventually.ts';
import { createSession, createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { testTemporal } from '../support/temporal.ts';
import { useSharedService } from '../support/shared-service.ts';

describe('DELETE /v1/sessions/{id}', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  const remove = (id: string, api = service.api) => send(api, deleteSession, { token: owner.token, params: { id } });

  const readStatus = async (id: string) =>
    (await send(service.api, getSession, { token: owner.token, params: { id } })).status;

  const callsOf = async (id: string) => VendorCallModel.query().where({ session_id: id }).orderBy('attempt');

  const describeRun = async (id: string) => {
    const { temporal } = await testTemporal();
    return (await temporal.client.workflow.getHandle(id).describe()).status.name;
  };

  const untilStopped = (id: string) =>
    eventually(
      () => describeRun(id),
      (name) => name !== 'RUNNING',
    );

  /** A word that nothing else holds. */
  const newMarker = () => `marker${crypto.randomUUID().replaceAll('-', '')}`;

  it('leaves nothing of what was said in any table, and all of what it cost', async () => {
    const marker = newMarker();
    const receiver = await startReceiver((response, { body }) => response.writeHead(503).end(body));
    try {
      owner = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
      const body = { assistant_id: owner.assistant.id, conversation: [{ role: 'client', text: `Hello ${marker}.` }] };
      const headers = { 'Idempotency-Key': marker };
      const { session_id: id } = (await send(service.api, submitTextRequest, { token: owner.token, headers, body }))
        .body;
      const tables = [
        'deliveries',
        'delivery_attempts',
        'idempotency_keys',
        'session_words',
        'sessions',
        'vendor_calls',
      ];
      await eventually(
        () => findTables(marker),
        (found) => found.length === tables.length,
      );
      const before = await callsOf(id);
      const { status } = await remove(id);
      expect(status).to.equal(204);
      expect(await findTables(marker)).to.deep.equal([]);
      const [call, ...others] = await callsOf(id);
      expect(others).to.deep.equal([]);
      expect(call).to.deep.equal({ ...before[0], vendor_response: null });
      expect(call?.cost_usd).to.be.greaterThan(0);
      expect(await readStatus(id)).to.equal(404);
    } finally {
      await receiver.stop();
    }
  });

  it('removes the recording', async () => {
    const { id } = await createVoiceSession(owner.assistant, { status: 'completed', completed_at: new Date() });
    expect((await remove(id)).status).to.equal(204);
    const opened = await testAudioStore()
      .open(id)
      .catch((error: unknown) => error);
    expect(opened).to.be.instanceOf(AudioMissingError);
    const audio = await send(service.api, getSessionAudio, { token: owner.token, params: { id } });
    expect(audio.problem.code).to.equal('not_found');
  });

  it('deletes nothing while the recording cannot be removed, so that it can be tried again', async () => {
    const audio = { file_name: 'a.mp3', media_type: 'audio/mpeg', bytes: 1, sha256: '', duration_s: 1 };
    const { id } = await createSession(owner.assistant, { type: 'voice' });
    await SessionModel.query()
      .patch({ audio: { ...audio, key: id } })
      .where({ id });
    mkdirSync(join(audioFolder(), id)); // A folder is not removed like a file.
    expect((await remove(id)).problem.code).to.equal('unavailable');
    expect(await readStatus(id)).to.equal(200);
  });

  it('stops a session that runs: its call ends, and the next is not made', async () => {
    service.vendors.hang();
    const id = await owner.submit();
    await eventually(
      () => callsOf(id),
      (calls) => calls.length === 1,
    );
    expect((await remove(id)).status).to.equal(204);
    await untilStopped(id);
    const [call] = await callsOf(id);
    expect(call).to.deep.include({ status: 'failed', vendor_response: null });
    expect(call?.error?.fault).to.equal('canceled');
  });

  it('keeps nothing of an answer that arrives later, but what it cost', async () => {
    const marker = newMarker();
    service.vendors.hang();
    const id = await owner.submit(`Hello ${marker}.`);
    await eventually(
      () => callsOf(id),
      (calls) => calls.length === 1,
    );
    expect(await eraseSession(id)).to.deep.equal([id]); // The process dies here: nobody stops the run.
    await service.vendors.pass();
    const [call] = await eventually(
      () => callsOf(id),
      ([found]) => found?.status === 'succeeded',
    );
    expect(call?.cost_usd).to.be.greaterThan(0);
    expect(call?.vendor_response).to.equal(null);
    await untilStopped(id);
    expect(await findTables(marker)).to.deep.equal([]);
  });

  it('and an answer at the same moment leave nothing but what it cost', async () => {
    for (let round = 0; round < 20; round++) {
      const marker = newMarker();
      const id = await owner.submit(`Hello ${marker}.`);
      await eraseSession(id);
      await untilStopped(id);
      expect(await findTables(marker)).to.deep.equal([]);
      const calls = await callsOf(id);
      expect(calls.filter(({ status, cost_usd }) => status === 'succeeded' && !cost_usd)).to.deep.equal([]);
    }
  });

  it('stops the deliveries that are under way', async () => {
    const receiver = await startReceiver((response) => response.writeHead(503).end());
    try {
      owner = await createSessionOwner(() => service.api, {
        webhook_url: receiver.url,
        webhook_events: ['session.completed', 'session.failed'],
      });
      const completed = await owner.submit();
      const failed = await owner.submit('[vendor status=400]');
      await eventually(
        () => receiver.requests.length,
        (count) => count === 2,
      );
      const [announcement] = await DeliveryModel.query().where({ session_id: failed });
      await Promise.all([remove(completed), remove(failed)]);
      expect(await untilStopped(completed)).to.equal('CANCELLED');
      expect(await untilStopped(announcement!.workflow_id)).to.equal('CANCELLED');
      expect(receiver.requests).to.have.length(2);
    } finally {
      await receiver.stop();
    }
  });

  it('tells who waits for the result', async () => {
    service.vendors.hang();
    const body = { assistant_id: owner.assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const waiting = send(service.api, submitTextRequest, { token: owner.token, body });
    const row = await eventually(
      async () => SessionModel.query().findOne({ user_id: owner.assistant.user_id, status: 'analyzing' }),
      (found) => found !== undefined,
    );
    await remove(row!.id);
    expect((await waiting).problem.detail).to.contain('deleted');
  });

  it('frees the Idempotency-Key: the same request is a new session', async () => {
    const headers = { 'Idempotency-Key': newMarker() };
    const body = { assistant_id: owner.assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] };
    const submit = async () => (await send(service.api, submitTextRequest, { token: owner.token, headers, body })).body;
    const { session_id: id } = await submit();
    await remove(id);
    const again = await submit();
    expect(again.session_id).not.to.equal(id);
    expect(again.status).to.equal('completed');
  });

  it('leaves the sessions that were made of it', async () => {
    const id = await owner.submit();
    await owner.untilEnded(id);
    const params = { id };
    const answer = await send(service.api, reanalyzeSession, { token: owner.token, params, body: {} });
    const made = answer.body as Session;
    await remove(id);
    expect(await owner.read(made.session_id)).to.deep.equal(made);
  });

  it('works while Temporal is away: what runs finds nothing and ends', async () => {
    service.vendors.hang();
    const id = await owner.submit();
    const api = await startApiWithoutTemporal(service.env);
    try {
      expect((await remove(id, api)).status).to.equal(204);
    } finally {
      await api.stop();
    }
    await service.vendors.pass();
    await untilStopped(id);
    expect(await readStatus(id)).to.equal(404);
  });

  it('is 404 the second time', async () => {
    const { id } = await createSession(owner.assistant);
    expect((await remove(id)).status).to.equal(204);
    expect((await remove(id)).problem.code).to.equal('not_found');
  });

  it("is 404 for another user's session, which stays", async () => {
    const { id } = await createSession(owner.assistant);
    const { token } = await createUser();
    const { problem } = await send(service.api, deleteSession, { token, params: { id } });
    expect(problem.code).to.equal('not_found');
    expect(await readStatus(id)).to.equal(200);
  });
});
