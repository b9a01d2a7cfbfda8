import type { Login } from '../../../contract/account/account.ts';
import type { Batch } from '../../../contract/sessions/batches.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { type Session } from '../../../contract/sessions/sessions.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send, sendRaw } from '../../support/api.ts';
import { fixture } from '../../support/audio.ts';
import * as factories from '../../support/factories.ts';
import { testDatabase } from '../../support/database.ts';
import { recordedLog } from '../../support/log.ts';
import { form, FORM_TYPE } from '../../support/multipart.ts';
import { createMember, createPerson, logInAs } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const { PASSWORD } = factories;

const FAILED = {
  status: 'failed',
  completed_at: new Date(),
  error: { code: 'internal', stage: 'analysis', provider: null, message: 'failed', retryable: true },
} as const;

const SESSION_IS_RECORD = 'The session itself records who submitted it, and when';
const DELIVERY_IS_RECORD = 'The delivery and its attempts are the record';
const WITHOUT_EVENT = {
  submitTextRequest: SESSION_IS_RECORD,
  submitVoiceRequest: SESSION_IS_RECORD,
  reanalyzeSession: SESSION_IS_RECORD,
  redeliver: DELIVERY_IS_RECORD,
  retryDeliveryNow: DELIVERY_IS_RECORD,
  stopDelivery: DELIVERY_IS_RECORD,
  testWebhook: DELIVERY_IS_RECORD,
  acceptInvitation: 'The command records member_joined',
  confirmPasswordReset: 'The command records password_reset_done',
  requestPasswordReset: 'The command records password_reset_asked for accounts that exist',
  previewInvitation: 'Changes nothing',
  openShare: 'Changes nothing',
  startSecondFactor: 'Nothing is on until it is confirmed, which is recorded',
  startSsoAction: 'Only opens the page of the provider',
  linkSso: 'The command records identity_linked',
};

describe('The audit log', () => {
  const { log, text, find } = recordedLog();
  const api = useTestApi({ log, env: { TRUSTED_PROXIES: '1', WEBHOOK_ALLOW_HOSTS: '' } });

  const trailOf = async (token: string, query = {}) =>
    (await send(api, 'listAuditEvents', { token, query })).body.data.reverse();

  const account = () => ({ email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' });

  it('records who changed what in an account, from where and when, without secrets', async () => {
    const own = account();
    const { body } = await send(api, 'register', { body: own });
    const { token } = body;
    const headers = { 'X-Forwarded-For': '192.0.2.7' };
    await send(api, 'login', { body: { email: own.email, password: 'wrong password' }, headers });
    await send(api, 'login', { body: { email: own.email, password: PASSWORD } });
    await send(api, 'updateCurrentUser', { token, body: { monthly_budget_usd: 5 } });
    await send(api, 'updateCurrentUser', { token, body: { name: 'B' } });
    const key = (await send(api, 'createKey', { token, body: { name: 'k' } })).body;
    const settings = { name: 'a', type: 'text', llm_provider: 'openai', system_prompt: 'p' };
    const webhook = { webhook_url: 'https://192.0.2.1/', webhook_secret: 'whisper-it-softly' };
    await send(api, 'createAssistant', { token: key.token, body: { ...settings, webhook_url: 'http://127.0.0.1/' } });
    const { id } = (await send(api, 'createAssistant', { token: key.token, body: settings })).body;
    const { webhook_secret } = webhook;
    for (const body of [{}, { system_prompt: 'Another.', temperature: 0 }, { webhook_secret }]) {
      await send(api, 'updateAssistant', { token: key.token, params: { id }, body });
    }
    await send(api, 'deleteAssistant', { token: key.token, params: { id } });
    await send(api, 'revokeKey', { token, params: { key_id: key.key_id } });
    await send(api, 'changePassword', { token, body: { current_password: 'no', new_password: `${PASSWORD}!` } });
    const trail = await trailOf(token);
    expect(trail.map(({ action }) => action)).to.deep.equal([
      'registered',
      'login_failed',
      'login_succeeded',
      'budget_changed',
      'token_created',
      'webhook_blocked',
      'assistant_created',
      'assistant_changed',
      'webhook_changed',
      'assistant_deleted',
      'token_revoked',
      'password_change_failed',
    ]);
    expect(trail[1]).to.deep.include({ address: '192.0.2.7', actor_id: null, details: { code: 'unauthorized' } });
    expect(trail[3]?.actor_id).to.match(/^login_/);
    expect(trail[3]?.details).to.deep.equal({ monthly_budget_usd: 5 });
    expect(trail[4]).to.include({ object_id: key.key_id });
    const fields = ['name, type, llm_provider, system_prompt', 'system_prompt, temperature', 'webhook_secret'];
    for (const [index, names] of fields.entries()) {
      expect(trail[6 + index]).to.include({ actor_id: key.key_id, object_id: id });
      expect(trail[6 + index]?.details['fields']?.toString().split(', ')).to.have.members(names.split(', '));
    }
    expect([trail[7], trail[8]].map((event) => event?.details['version'])).to.deep.equal([2, 2]);
    for (const secret of [PASSWORD, 'wrong password', webhook.webhook_secret, key.token, token]) {
      expect(JSON.stringify(trail)).not.to.include(secret);
    }
  });

  it('records deletions, and the end of logins and tokens', async () => {
    const { user, token, assistant } = await factories.createOwner();
    const { id } = await factories.createSession(assistant, { status: 'completed' });
    await send(api, 'deleteSession', { token, params: { id } });
    const body = { action: 'delete', filter: { status: 'completed' } };
    const deletion = { token, body, headers: { 'Idempotency-Key': 'once' } };
    await send(api, 'createBatch', { token, body: { ...body, dry_run: true } });
    const { batch_id } = (await send(api, 'createBatch', deletion)).body as Batch;
    await send(api, 'createBatch', deletion);
    const session = (await send(api, 'login', { body: { email: user.email, password: PASSWORD } })).body.token;
    await send(api, 'revokeAllKeys', { token: session });
    const changed = { current_password: PASSWORD, new_password: `${PASSWORD}!` };
    const next = ((await send(api, 'changePassword', { token: session, body: changed })).body as Login).token;
    await send(api, 'logOut', { token: next });
    const last = (await send(api, 'login', { body: { email: user.email, password: `${PASSWORD}!` } })).body.token;
    const trail = await trailOf(last);
    expect(trail.map(({ action }) => action)).to.deep.equal([
      'session_deleted',
      'batch_created',
      'login_succeeded',
      'tokens_revoked',
      'password_changed',
      'login_ended',
      'login_succeeded',
    ]);
    expect(trail[0]?.object_id).to.equal(id);
    expect(trail[1]).to.deep.include({ object_id: batch_id, details: { action: 'delete', total: 0 } });
  });

  it('records exports, webhook changes and batches', async () => {
    const { user, token } = await factories.createUser();
    const workspaceId = user.default_workspace_id;
    const assistant = await factories.createAssistant(workspaceId, { webhook_url: 'https://192.0.2.1/' });
    const params = { id: assistant.id };
    const { id: copy } = (await send(api, 'duplicateAssistant', { token, params })).body;
    await send(api, 'updateAssistant', { token, params, body: { system_prompt: 'Other instructions.' } });
    await send(api, 'restoreAssistantVersion', { token, params: { ...params, version: '1' } });
    await send(api, 'exportSessions', { token, query: { format: 'jsonl' } });
    const batch = { action: 'retry', filter: { status: 'failed' } };
    const { batch_id } = (await send(api, 'createBatch', { token, body: batch })).body as Batch;
    const trail = await trailOf(token);
    expect(trail.map(({ action, object_id, details }) => [action, object_id, details])).to.deep.equal([
      ['assistant_created', copy, { duplicated_from: assistant.id }],
      ['assistant_changed', assistant.id, { version: 2, fields: 'system_prompt' }],
      ['version_restored', assistant.id, { version: 1 }],
      ['sessions_exported', null, { format: 'jsonl' }],
      ['batch_created', batch_id, { action: 'retry', total: 0 }],
    ]);
  });

  it('records changes of cost limits and of stored results, and cancellations', async () => {
    const { token, assistant } = await factories.createOwner(factories.VOICE);
    const batch = await factories.createBatch(assistant.workspace_id);
    const [queued, failed] = [
      await factories.createSession(assistant, { status: 'queued' }),
      await factories.createSession(await factories.createAssistant(assistant.workspace_id), FAILED),
    ];
    await send(api, 'updateBatch', { token, params: { id: batch.id }, body: { max_cost_usd: 5 } });
    await send(api, 'cancelBatch', { token, params: { id: batch.id } });
    await send(api, 'cancelSession', { token, params: { id: queued.id } });
    await send(api, 'retrySession', { token, params: { id: failed.id }, headers: { Prefer: 'respond-async' } });
    const trail = await trailOf(token);
    expect(trail.map(({ action, object_id, details }) => [action, object_id, details])).to.deep.equal([
      ['batch_changed', batch.id, { max_cost_usd: 5 }],
      ['batch_canceled', batch.id, {}],
      ['session_canceled', queued.id, {}],
      ['session_retried', failed.id, {}],
    ]);
  });

  it('has an event for every operation that changes something, or a reason why not', () => {
    const silent = ENDPOINTS.filter(({ method, audit }) => method !== 'get' && !audit);
    expect(silent.map(({ operationId }) => operationId)).to.have.members(Object.keys(WITHOUT_EVENT));
  });

  it('records each download of a recording, not each range, and of a person only one per login', async () => {
    const { user, workspaceId, token } = await factories.createUser();
    const assistant = await factories.createAssistant(workspaceId, factories.VOICE);
    const file = { name: 'audio_file', value: fixture('tone.mp3'), filename: 'call.mp3', type: 'audio/mpeg' };
    const body = form([{ name: 'assistant_id', value: assistant.id }, file]);
    const tokens = [await logInAs(user), await logInAs(user), token];
    const headers = { 'Content-Type': FORM_TYPE, Prefer: 'respond-async' };
    const { session_id } = (await sendRaw(api, 'POST', '/v1/requests/voice', { token: tokens[0] ?? '', body, headers }))
      .body as Session;
    for (const Range of ['bytes=0-', 'bytes=100-199', 'bytes=0-']) {
      for (const each of tokens)
        await send(api, 'getSessionAudio', { token: each, params: { id: session_id }, headers: { Range } });
    }
    const trail = await trailOf(tokens[0] ?? '');
    const fetched = trail.filter(({ action, object_id }) => action === 'recording_fetched' && object_id === session_id);
    const countBy = (prefix: string) => fetched.filter(({ actor_id }) => actor_id?.startsWith(prefix)).length;
    expect([countBy('login_'), countBy('key_'), fetched.length]).to.deep.equal([2, 2, 4]);
  });

  it('records refused scopes, and failed logins once per hour and address', async () => {
    const { user, token } = await factories.createUser();
    const limited = (await send(api, 'createKey', { token, body: { name: 'l', scopes: ['sessions:read'] } })).body;
    for (let i = 0; i < 3; i++) await send(api, 'listKeys', { token: limited.token });
    const fail = (from: string) =>
      send(api, 'login', {
        body: { email: user.email, password: 'wrong password' },
        headers: { 'X-Forwarded-For': from },
      });
    for (let i = 0; i < 3; i++) await fail('192.0.2.20');
    await fail('192.0.2.21');
    const trail = (await trailOf(token)).slice(1);
    expect(trail.map(({ action, actor_id, address }) => [action, actor_id, address])).to.deep.equal([
      ['scope_refused', limited.key_id, trail[0]?.address],
      ['login_failed', null, '192.0.2.20'],
      ['login_failed', null, '192.0.2.21'],
    ]);
    expect(trail[0]?.details).to.deep.equal({ scope: 'keys:read', operation: 'listKeys' });
  });

  it('Threat: shows members the events of the workspace, but not the logins of others', async () => {
    const owner = await createPerson();
    const auditor = await createMember(owner.workspaceId, 'auditor');
    const { email } = auditor.user;
    await send(api, 'login', { body: { email, password: PASSWORD } });
    await send(api, 'login', { body: { email, password: 'wrong password' } });
    await send(api, 'createKey', { token: owner.token, body: { name: 'k' } });
    const { token } = auditor;
    const seen = (await send(api, 'listAuditEvents', { token, workspace: owner.workspaceId })).body.data.reverse();
    expect(seen.map(({ action, actor_user_id }) => [action, actor_user_id])).to.deep.equal([
      ['login_succeeded', auditor.user.id],
      ['login_failed', null],
      ['token_created', owner.user.id],
    ]);
    expect((await trailOf(owner.token)).map(({ action }) => action)).to.deep.equal(['token_created']);
    const { token: shared } = (
      await send(api, 'createKey', { token: owner.token, body: { name: 'k', scopes: ['audit:read'] } })
    ).body;
    await UserModel.query().findById(owner.user.id).patch({ default_workspace_id: auditor.workspaceId });
    await send(api, 'login', { body: { email: owner.user.email, password: PASSWORD } });
    expect(
      (await trailOf(shared)).map(({ action }) => action),
      'a token that acts for nobody',
    ).to.deep.equal(['token_created', 'token_created']);
  });

  it("shows only the user's own entries, with filters and pages", async () => {
    const [one, other] = [await factories.createUser(), await factories.createUser()];
    for (let n = 0; n < 3; n++) await send(api, 'createKey', { token: one.token, body: { name: 'a' } });
    expect(await trailOf(other.token)).to.deep.equal([]);
    expect(await trailOf(one.token, { action: 'login_failed' })).to.deep.equal([]);
    expect(await trailOf(one.token, { created_after: '2100-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(await trailOf(one.token, { created_before: '2100-01-01T00:00:00Z' })).to.have.length(3);
    const first = (await send(api, 'listAuditEvents', { token: one.token, query: { limit: 2 } })).body;
    expect(await trailOf(one.token, { limit: 2, cursor: first.next_cursor ?? '' })).to.have.length(1);
  });

  it('contains each change, also one whose event could not be stored after it, and no refused one', async () => {
    const { user, token } = await factories.createUser();
    const { id } = await factories.createAssistant(user.default_workspace_id);
    const params = { id };
    const { db } = testDatabase();
    await db.raw(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$`,
    );
    await db.raw('create trigger fail before insert on audit_events execute function fail()');
    try {
      const { status } = await send(api, 'deleteAssistant', { token, params });
      expect([status, (await send(api, 'deleteAssistant', { token, params })).status]).to.deep.equal([204, 404]);
    } finally {
      await db.raw('drop function fail cascade');
    }
    expect(await trailOf(token)).to.deep.equal([]);
    await AuditEventModel.recordLost(0);
    const [event, ...others] = await trailOf(token);
    expect(others).to.deep.equal([]);
    expect(event).to.include({ action: 'assistant_deleted', object_id: id, actor_user_id: user.id });
    expect(event?.details).to.deep.equal({ outcome: 'unknown' });
  });

  it('cannot be changed, and is deleted after a year', async () => {
    const { user } = await factories.createUser();
    const age = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
    for (const days of [360, 370]) {
      const id = `audit_${crypto.randomUUID()}`;
      const row = { id, workspace_id: user.default_workspace_id, action: 'registered' as const };
      await AuditEventModel.query().insert({ ...row, created_at: age(days) });
    }
    const own = () => AuditEventModel.query().where({ workspace_id: user.default_workspace_id });
    for (const change of [own().patch({ action: 'login_failed' }), own().delete()]) {
      expect(await change.then(String, String)).to.include('only ever added');
    }
    await AuditEventModel.removeExpired();
    expect((await own()).map(({ created_at }) => created_at > age(365))).to.deep.equal([true]);
  });

  it('and the application log never contain a token that a client sent as an ID', async () => {
    const { token } = await factories.createUser();
    const { key_id, token: secret } = (await send(api, 'createKey', { token, body: { name: 'a' } })).body;
    const headers = { 'X-Forwarded-For': '192.0.2.9' };
    await sendRaw(api, 'DELETE', `/v1/keys/${secret}`, { token: secret, headers });
    const own = account();
    const jwt = (await send(api, 'register', { body: own })).body.token;
    const opened = await send(api, 'openConsoleSession', { body: { email: own.email, password: PASSWORD } });
    const cookie = /=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const encoded = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    for (const one of [secret.replace('_', '%5F'), `x${secret}`, encoded, jwt, cookie]) {
      await sendRaw(api, 'GET', `/v1/logins/${one}`, { token });
      await sendRaw(api, 'GET', `/v1/nothing/${one}/at/all`, { token });
      expect(one.length).to.be.greaterThan(40);
      expect(text()).not.to.include(one);
    }
    expect(text()).not.to.include(secret);
    expect(find('192.0.2.9')).to.have.length(1);
    expect(find('192.0.2.9')[0]).to.include({
      route: '/api/v1/keys/{key_id}',
      path: '/api/v1/keys/cas_…',
      address: '192.0.2.9',
      actor_id: key_id,
    });
  });
});
