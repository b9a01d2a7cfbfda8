import { openAsBlob } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { typeid } from 'typeid-js';
import { claimSession } from '../../api/commands/claim-session.ts';
import { deleteAssistant } from '../../contract/assistants.ts';
import type { Session } from '../../contract/sessions.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createUser } from '../support/factories.ts';
import { useSharedService } from '../support/shared-service.ts';

const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];

describe('Idempotency-Key', () => {
  const service = useSharedService();

  async function newClient() {
    const { user, token } = await createUser();
    const assistant = await createAssistant(user.id);
    const submit = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
      send(service.api, submitTextRequest, {
        token,
        body: { assistant_id: assistant.id, conversation, ...body },
        headers: { 'Idempotency-Key': key, ...headers },
      });
    return { user, token, assistant, submit };
  }

  it('gives eight calls at the same moment one session and one vendor call', async () => {
    const { user, submit } = await newClient();
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit('once')));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.session_id)).size).to.equal(1);
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).to.have.length(7);
    expect(await SessionModel.query().where({ user_id: user.id }).resultSize()).to.equal(1);
    expect(await VendorCallModel.query().where({ user_id: user.id }).resultSize()).to.equal(1);
  });

  it('gives the same session again when it has ended, at once', async () => {
    const { submit } = await newClient();
    const first = await submit('again');
    const second = await submit('again');
    expect(second.body).to.deep.equal(first.body);
    expect(first.headers.get('Idempotent-Replayed')).to.equal(null);
    expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
  });

  it('gives the session after its assistant was deleted, and refuses what is new', async () => {
    const { token, assistant, submit } = await newClient();
    const first = await submit('kept');
    await send(service.api, deleteAssistant, { token, params: { id: assistant.id } });
    const again = await submit('kept');
    expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
    expect(again.body).to.deep.equal(first.body);
    expect((await submit('kept', { metadata: { a: 'b' } })).problem.code).to.equal('idempotency_key_reused');
    expect((await submit('new')).problem.errors?.map(({ path }) => path)).to.deep.equal(['assistant_id']);
  });

  it('waits for a session that still runs', async () => {
    const { submit } = await newClient();
    service.vendors.hang();
    const accepted = await submit('running', {}, { Prefer: 'respond-async' });
    expect(accepted.status).to.equal(202);
    const waiting = submit('running');
    await service.vendors.pass();
    const { status, body } = await waiting;
    expect(status).to.equal(200);
    expect(body.session_id).to.equal(accepted.body.session_id);
  });

  it('answers a failed session with its failure, and does not run it again', async () => {
    const { user, submit } = await newClient();
    const failing = { conversation: [{ role: 'client', text: '[vendor status=401]' }] };
    const [first, second] = [await submit('failing', failing), await submit('failing', failing)];
    expect([first.status, second.status]).to.deep.equal([502, 502]);
    expect(second.problem.session_id).to.equal(first.problem.session_id);
    expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(await VendorCallModel.query().where({ user_id: user.id }).resultSize()).to.equal(1);
  });

  it('refuses another payload under the same key, and stores nothing', async () => {
    const { user, submit } = await newClient();
    await submit('taken');
    for (const other of [{ conversation: [...conversation, ...conversation] }, { metadata: { a: 'b' } }]) {
      const { status, problem } = await submit('taken', other);
      expect(status).to.equal(422);
      expect(problem.code).to.equal('idempotency_key_reused');
    }
    expect(await SessionModel.query().where({ user_id: user.id }).resultSize()).to.equal(1);
  });

  it('takes the order of members for what it is', async () => {
    const { submit } = await newClient();
    const first = await submit('order', { metadata: { a: '1', b: '2' } });
    const second = await submit('order', { metadata: { b: '2', a: '1' } });
    expect(second.body.session_id).to.equal(first.body.session_id);
  });

  it("is each user's own", async () => {
    const [a, b] = [await newClient(), await newClient()];
    expect((await a.submit('shared')).body.session_id).not.to.equal((await b.submit('shared')).body.session_id);
  });

  it('goes on where a crash left it: the key taken, the session not yet stored', async () => {
    const { user, assistant, submit } = await newClient();
    const claim = await claimSession(user.id, 'crashed', ['text', assistant.id, conversation, {}]);
    const { status, body } = await submit('crashed');
    expect(status).to.equal(200);
    expect(body.session_id).to.equal(claim.sessionId);
  });

  it('goes on where a crash left it: the session stored, its workflow not yet started', async () => {
    const { user, assistant, submit } = await newClient();
    const { sessionId } = await claimSession(user.id, 'crashed', ['text', assistant.id, conversation, {}]);
    await SessionModel.insertNew({
      id: sessionId,
      user_id: user.id,
      assistant_id: assistant.id,
      type: 'text',
      assistant: assistant.freeze(),
      conversation,
      metadata: {},
      simulated: true,
    });
    const { status, body } = await submit('crashed');
    expect(status).to.equal(200);
    expect(body.session_id).to.equal(sessionId);
  });

  it('is free again after 24 hours, also where nothing has swept it', async () => {
    const { user, submit } = await newClient();
    const first = await submit('old');
    const age = (interval: string) =>
      IdempotencyKeyModel.query()
        .patch({ created_at: IdempotencyKeyModel.raw(`now() - interval '${interval}'`) as never })
        .where({ user_id: user.id });
    await age('23 hours 59 minutes');
    expect((await submit('old')).body.session_id).to.equal(first.body.session_id);
    await age('24 hours 1 second');
    expect((await submit('old')).body.session_id).not.to.equal(first.body.session_id);
  });

  it('is swept after 24 hours and not before', async () => {
    const { user } = await newClient();
    const insert = (key: string, hours: number) =>
      IdempotencyKeyModel.query().insert({
        user_id: user.id,
        key,
        payload_hash: Buffer.alloc(32),
        session_id: typeid('sess').toString(),
        created_at: new Date(Date.now() - hours * 3_600_000),
      });
    await Promise.all([insert('young', 23), insert('old', 25)]);
    await IdempotencyKeyModel.removeExpired();
    const left = await IdempotencyKeyModel.query().where({ user_id: user.id });
    expect(left.map(({ key }) => key)).to.deep.equal(['young']);
  });

  it('must be 1 to 255 printable characters', async () => {
    const { submit } = await newClient();
    for (const key of ['a b', 'ü', 'x'.repeat(256)]) {
      const { status, problem } = await submit(encodeHeader(key));
      expect(status, key).to.equal(422);
      expect(problem.errors?.[0]?.path).to.equal('idempotency-key');
    }
    expect((await submit('x'.repeat(255))).status).to.equal(200);
  });

  it('is not used up by a request that is refused', async () => {
    const { token, assistant, submit } = await newClient();
    expect((await submit('fresh', { conversation: [] })).status).to.equal(422);
    expect((await submit('fresh')).status).to.equal(200);
    await send(service.api, deleteAssistant, { token, params: { id: assistant.id } });
  });

  describe('with a recording', () => {
    const file = (name: string) => fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url));

    it('means the very bytes: the same recording is the same session, another one is refused', async () => {
      const { user, token } = await createUser();
      const assistant = await createAssistant(user.id, {
        type: 'voice',
        stt_provider: 'elevenlabs',
        stt_model: 'scribe_v2',
        stt_language: 'Auto-Detect',
      });
      const submit = async (name: string) => {
        const form = new FormData();
        form.set('assistant_id', assistant.id);
        form.set('audio_file', await openAsBlob(file(name)), 'call.wav');
        const response = await fetch(`${service.api.url}/api/v1/requests/voice`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'call', Prefer: 'respond-async' },
          body: form,
        });
        return { status: response.status, body: (await response.json()) as Session };
      };
      const first = await submit('tone.wav');
      expect(first.status).to.equal(202);
      const second = await submit('tone.wav');
      expect(second.body.session_id).to.equal(first.body.session_id);
      expect((await submit('tone.mp3')).status).to.equal(422);
      await eventually(
        () => SessionModel.hasEnded(first.body.session_id),
        (hasEnded) => hasEnded,
      );
    });
  });
});

/** A header's value is bytes: fetch takes them as Latin-1. */
const encodeHeader = (value: string) => Buffer.from(value).toString('latin1');
