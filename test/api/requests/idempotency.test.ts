import { claimSession } from '../../../api/requests/idempotency.ts';
import { IdempotencyKeyModel } from '../../../db/models/idempotency-key.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { insertSession } from '../../../db/queries/owner-limits.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import { createAssistant, createUser, says } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';

const conversation = says('My parcel has not arrived.');

describe('Idempotency-Key', () => {
  const service = useSharedService();

  async function newClient() {
    const { workspaceId, token } = await createUser();
    const assistant = await createAssistant(workspaceId);
    const submit = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
      send(service.api, 'submitTextRequest', {
        token,
        body: { assistant_id: assistant.id, conversation, ...body },
        headers: { 'Idempotency-Key': key, ...headers },
      });
    return { workspaceId, token, assistant, submit };
  }

  it('lets eight concurrent requests create one session and one provider call', async () => {
    const { workspaceId, submit } = await newClient();
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit('once')));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.session_id)).size).to.equal(1);
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).to.have.length(7);
    expect(await SessionModel.query().where({ workspace_id: workspaceId }).resultSize()).to.equal(1);
    expect(await ProviderCallModel.query().where({ workspace_id: workspaceId }).resultSize()).to.equal(1);
  });

  it('returns the existing session after its assistant was deleted, and names it if the request is another; new keys are refused', async () => {
    const { token, assistant, submit } = await newClient();
    const first = await submit('kept');
    await send(service.api, 'deleteAssistant', { token, params: { id: assistant.id } });
    const again = await submit('kept');
    expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
    expect(again.body).to.deep.equal(first.body);
    expect(first.headers.get('Idempotent-Replayed')).to.equal(null);
    const { session_id } = first.body;
    expect((await submit('kept', { metadata: { a: 'b' } })).problem).to.include({
      code: 'idempotency_key_reused',
      session_id,
    });
    expect((await submit('new')).paths).to.deep.equal(['assistant_id']);
  });

  it('of a caller that reads only own sessions replays no session of others, and refuses without its ID', async () => {
    const { token, assistant, submit } = await newClient();
    await submit('rec-1042');
    const scopes = ['requests:write' as const, 'sessions:own' as const];
    const issue = async () =>
      (await send(service.api, 'createKey', { token, body: { name: 'Page', scopes } })).body.token;
    const [page, other] = [await issue(), await issue()];
    const submitAs = (by: string, key: string) =>
      send(service.api, 'submitTextRequest', {
        token: by,
        body: { assistant_id: assistant.id, conversation },
        headers: { 'Idempotency-Key': key },
      });
    const refused = (await submitAs(page, 'rec-1042')).problem;
    expect(refused).to.include({ status: 422, code: 'idempotency_key_reused' }).and.not.have.property('session_id');
    const { session_id } = (await submitAs(page, 'own')).body;
    expect((await submitAs(page, 'own')).body).to.include({ session_id });
    expect((await submitAs(other, 'own')).problem).to.not.have.property('session_id');
    expect((await submit('own')).problem).to.include({ session_id });
  });

  it('waits for a session that still runs', async () => {
    const { submit } = await newClient();
    service.providers.hang();
    const accepted = await submit('running', {}, { Prefer: 'respond-async' });
    expect(accepted.status).to.equal(202);
    const waiting = submit('running');
    await service.providers.pass();
    const { status, body } = await waiting;
    expect(status).to.equal(200);
    expect(body.session_id).to.equal(accepted.body.session_id);
  });

  it('returns the failure of a failed session, and does not run it again', async () => {
    const { workspaceId, submit } = await newClient();
    const failing = { conversation: says('[provider status=401]') };
    const [first, second] = [await submit('failing', failing), await submit('failing', failing)];
    expect([first.status, second.status]).to.deep.equal([502, 502]);
    expect(second.problem.session_id).to.equal(first.problem.session_id);
    expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(await ProviderCallModel.query().where({ workspace_id: workspaceId }).resultSize()).to.equal(1);
  });

  it('refuses another payload under the same key; the order of properties does not matter', async () => {
    const { workspaceId, submit } = await newClient();
    const first = await submit('taken', { metadata: { a: '1', b: '2' } });
    const same = await submit('taken', { metadata: { b: '2', a: '1' } });
    expect(same.body.session_id).to.equal(first.body.session_id);
    for (const other of [{ conversation: [...conversation, ...conversation] }, { metadata: { a: 'b' } }]) {
      expect((await submit('taken', other)).problem).to.include({ status: 422, code: 'idempotency_key_reused' });
    }
    expect(await SessionModel.query().where({ workspace_id: workspaceId }).resultSize()).to.equal(1);
    const stranger = await newClient();
    expect((await stranger.submit('taken')).body.session_id).not.to.equal(first.body.session_id);
  });

  it('continues after a crash: with only the key stored, or with the session and without its workflow', async () => {
    const { workspaceId: workspace_id, assistant, submit } = await newClient();
    const payload = ['text', assistant.id, conversation, {}] as const;
    const onlyKey = await claimSession(
      { workspaceId: workspace_id, idempotencyKey: 'key', ownedBy: undefined },
      payload,
    );
    const { sessionId: id } = await claimSession(
      { workspaceId: workspace_id, idempotencyKey: 'session', ownedBy: undefined },
      payload,
    );
    const { id: assistant_id } = assistant;
    const row = { id, workspace_id, assistant_id, type: 'text', assistant: assistant.freeze(), conversation } as const;
    await insertSession(
      { ...row, metadata: {}, simulated: true },
      { openSessions: 10, textBytes: 1_000_000, audioBytes: 0 },
    );
    for (const [key, sessionId] of [
      ['key', onlyKey.sessionId],
      ['session', id],
    ] as const) {
      const { status, body } = await submit(key);
      expect([status, body.session_id], key).to.deep.equal([200, sessionId]);
    }
  });

  it('can be reused after 24 hours, even if the sweep did not run', async () => {
    const { workspaceId, submit } = await newClient();
    const first = await submit('old');
    const age = (interval: string) =>
      IdempotencyKeyModel.query()
        .patch({ created_at: IdempotencyKeyModel.raw(`now() - interval '${interval}'`) as never })
        .where({ workspace_id: workspaceId });
    await age('23 hours 59 minutes');
    await IdempotencyKeyModel.removeExpired();
    expect((await submit('old')).body.session_id).to.equal(first.body.session_id);
    await age('24 hours 1 second');
    const second = await submit('old');
    expect(second.body.session_id).not.to.equal(first.body.session_id);
    await age('24 hours 1 second');
    await IdempotencyKeyModel.removeExpired();
    expect(await IdempotencyKeyModel.query().where({ workspace_id: workspaceId })).to.deep.equal([]);
  });

  it('must have 1 to 255 printable characters', async () => {
    const { submit } = await newClient();
    for (const key of ['a b', 'ü', 'x'.repeat(256)]) {
      const { status, problem } = await submit(encodeHeader(key));
      expect(status, key).to.equal(422);
      expect(problem.errors?.[0]?.path).to.equal('idempotency-key');
    }
    expect((await submit('x'.repeat(255))).status).to.equal(200);
  });

  it('is not used up by a request that is refused', async () => {
    const { submit } = await newClient();
    expect((await submit('fresh', { conversation: [] })).status).to.equal(422);
    expect((await submit('fresh')).status).to.equal(200);
  });
});

/** Encodes a header value as the Latin-1 text that fetch expects. */
const encodeHeader = (value: string) => Buffer.from(value).toString('latin1');
