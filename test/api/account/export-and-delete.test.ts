import { strFromU8, unzipSync } from 'fflate';
import { createRemoveDeletedWorkspaces } from '../../../activities/sweeps/remove-deleted-workspaces.ts';
import { API_BASE } from '../../../contract/values/constants.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { UserModel } from '../../../db/models/user.ts';
import { findDeletedWorkspaces } from '../../../db/queries/deleted-workspaces.ts';
import { send } from '../../support/api.ts';
import { createVoiceSession, fixture, hasRecording, testAudioStore } from '../../support/audio.ts';
import { findTables } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createAssistant,
  createCall,
  createDelivery,
  createLogin,
  createOwner,
  createReview,
  createSession,
  createUser,
  PASSWORD,
} from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { startReceiver } from '../../support/receiver.ts';
import { createSessionOwner } from '../../support/sessions.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { testTemporal, untilWorkflowEnds } from '../../support/temporal.ts';
import { useSharedService } from '../../support/shared-service.ts';

describe("A user's own data", () => {
  const service = useSharedService();
  let owner: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    owner = await createUser();
  });

  const ask = (headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`${service.api.url}${API_BASE}/user/me/export`, {
      headers: { Authorization: `Bearer ${owner.token}`, ...headers },
      ...init,
    });

  const remove = (current_password = PASSWORD, token = owner.token) =>
    send(service.api, 'deleteCurrentUser', { token, body: { current_password } });

  /** Creates a session of each type with all related objects, and a webhook with a secret. */
  async function fill() {
    const text = await createAssistant(owner.workspaceId, { webhook_secret: 'v2:0:sealed-secret' });
    const voice = await createAssistant(owner.workspaceId, { type: 'voice', retention_days: 30 });
    const session = await createSession(text, { status: 'completed', summary_text: 'lost' });
    const recorded = await createVoiceSession(voice, { status: 'completed' });
    const delivery = await createDelivery(session);
    await createReview(session, { note: 'odd', answers: { reason: 'parcel' } });
    await createCall(session, { cost_usd: 1.5, provider_response: { id: 'x1' } });
    return { session, recorded, delivery };
  }

  it("GET /v1/exports/sessions?format=zip contains one person's complete sessions, with the recordings", async () => {
    const metadata = { client_id: '42' };
    const voice = await createAssistant(owner.workspaceId, { type: 'voice', retention_days: 30 });
    const recorded = await createVoiceSession(voice, { status: 'completed', metadata });
    await createVoiceSession(voice, { status: 'completed', metadata: { client_id: '43' } });
    const conversation = [{ role: 'client', text: 'Hello?' }];
    const written = await createSession(await createAssistant(owner.workspaceId), { metadata, conversation });
    await createReview(written, { note: 'odd', summary_text: 'Better' });
    const url = `${service.api.url}${API_BASE}/v1/exports/sessions?format=zip&metadata.client_id=42`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${owner.token}` } });
    expect(response.headers.get('content-type')).to.equal('application/zip');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).to.have.members(['sessions.jsonl', `recordings/${recorded.id}.mp3`]);
    const lines = strFromU8(files['sessions.jsonl']!).trimEnd().split('\n');
    const sessions = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(sessions.map(({ session_id }) => session_id)).to.have.members([recorded.id, written.id]);
    const found = sessions.find(({ session_id }) => session_id === written.id);
    expect(found).to.deep.include({ conversation, calls: [] });
    expect(found?.['review']).to.include({ note: 'odd', summary_text: 'Better' });
  });

  describe('GET /user/me/export', () => {
    it('is a valid ZIP with all data of the user and none of others', async () => {
      const { session, recorded, delivery } = await fill();
      await createSession((await createOwner()).assistant);
      const response = await ask();
      expect(response.headers.get('content-type')).to.equal('application/zip');
      expect(response.headers.get('content-disposition')).to.match(
        /^attachment; filename="conversations-[\d-]+\.zip"$/,
      );
      const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
      const read = (name: string) => strFromU8(files[name] ?? expect.fail(`no ${name}`));
      const lines = (name: string) =>
        read(`${name}.jsonl`)
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      const profile = JSON.parse(read('profile.json')) as object;
      expect(profile).to.include({ id: owner.user.id, email: owner.user.email });
      expect(lines('assistants')).to.have.length(2);
      expect(lines('tokens')).to.have.length(1);
      expect(lines('sessions').map(({ session_id }) => session_id)).to.deep.equal([session.id, recorded.id]);
      expect(lines('sessions')[0]).to.deep.include({ summary_text: 'lost', conversation: session.conversation });
      const [reviewed, unreviewed] = lines('sessions').map(({ review }) => review);
      expect(reviewed).to.deep.include({ note: 'odd', answers: { reason: 'parcel' }, sampled: true, history: [] });
      expect(unreviewed).to.equal(null);
      const [call] = lines('sessions')[0]?.['calls'] as object[];
      expect(call).to.deep.include({ cost_usd: 1.5, provider_response: { id: 'x1' } });
      expect(lines('deliveries')[0]).to.include({ delivery_id: delivery.id, payload: delivery.payload });
      const bytes = files[`recordings/${recorded.id}.mp3`] ?? [];
      expect(fixture('tone.mp3').equals(Uint8Array.from(bytes))).to.equal(true);
      for (const file of Object.keys(files).filter((name) => name.endsWith('.jsonl'))) {
        const text = read(file);
        for (const secret of [owner.token, 'sealed-secret', 'argon2', 'token_hash', 'secret_hash']) {
          expect(text, file).not.to.contain(secret);
        }
      }
      const exported = { user_id: owner.user.id, action: 'account_exported' } as const;
      expect(await AuditEventModel.query().where(exported)).to.have.length(1);
    });

    it('runs once at a time per user, and can run again after a client disconnected', async () => {
      const assistant = await createAssistant(owner.workspaceId, { type: 'voice' });
      for (let count = 0; count < 15; count++) {
        await createSession(assistant, { conversation: [{ role: 'client', text: 'x'.repeat(400_000) }] });
      }
      const first = await ask();
      expect((await ask()).status).to.equal(429);
      await first.body?.cancel();
      const again = await eventually(
        () => ask(),
        ({ status }) => status === 200,
      );
      expect((await again.arrayBuffer()).byteLength).to.be.greaterThan(6_000_000);
      const head = await ask({}, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).to.deep.equal([200, 'application/zip']);
    });
  });

  describe('DELETE /user/me', () => {
    it('requires the password, and records failed attempts', async () => {
      expect((await remove('wrong password')).problem.errors?.[0]?.path).to.equal('current_password');
      expect((await send(service.api, 'getCurrentUser', { token: owner.token })).status).to.equal(200);
      const trail = await AuditEventModel.query().where({ user_id: owner.user.id });
      expect(trail.map(({ action }) => action)).to.deep.equal(['account_deletion_failed']);
    });

    it('ends all tokens and logins immediately, and frees the email address', async () => {
      const { email } = owner.user;
      const { token } = (await send(service.api, 'login', { body: { email, password: PASSWORD } })).body;
      await createLogin(owner.user);
      expect((await remove()).status).to.equal(204);
      for (const each of [owner.token, token]) {
        expect((await send(service.api, 'getCurrentUser', { token: each })).status).to.equal(401);
      }
      expect((await send(service.api, 'login', { body: { email, password: PASSWORD } })).status).to.equal(401);
      const anew = await send(service.api, 'register', { body: { email, password: PASSWORD, name: 'Ada' } });
      expect(anew.status).to.equal(201);
      const trail = await AuditEventModel.query().where({ user_id: owner.user.id }).orderBy('id');
      expect(trail.at(-1)?.action).to.equal('account_deleted');
    });

    it('leaves only the audit log and cost sums, even after an interrupted sweep', async () => {
      const { session, recorded } = await fill();
      await remove();
      const { client } = (await testTemporal()).temporal;
      const deps = { audio: testAudioStore(), client, log: silentLog };
      const audio = { ...deps.audio, remove: () => Promise.reject(new Error('the store is away')) };
      await createRemoveDeletedWorkspaces({ ...deps, audio })();
      expect((await findDeletedWorkspaces(100)).map(({ id }) => id)).to.include(owner.workspaceId);
      await createRemoveDeletedWorkspaces(deps)();
      expect(await UserModel.query().findById(owner.user.id)).to.equal(undefined);
      expect(await findTables(owner.workspaceId)).to.deep.equal(['monthly_spending']);
      expect(await findTables(owner.user.id)).to.deep.equal(['audit_events']);
      for (const id of [session.id, recorded.id]) expect(await findTables(id)).to.deep.equal([]);
      expect(await hasRecording(recorded.id)).to.equal(false);
    });

    it('cancels running sessions, without further calls and webhooks', async () => {
      const receiver = await stopAfterTest(startReceiver());
      const running = await createSessionOwner(() => service.api, { webhook_url: receiver.url });
      service.providers.hang();
      const id = await running.submit();
      await running.untilCalled(id);
      await remove(PASSWORD, running.token);
      const { client } = (await testTemporal()).temporal;
      await createRemoveDeletedWorkspaces({ audio: testAudioStore(), client, log: silentLog })();
      await service.providers.pass();
      await untilWorkflowEnds(id);
      expect(receiver.requests).to.deep.equal([]);
      expect(await findTables(id)).to.deep.equal([]);
    });
  });
});
