import { expect } from 'chai';
import type { Login } from '../../contract/account.ts';
import { changePassword, login, register, updateCurrentUser } from '../../contract/account.ts';
import { createAssistant, deleteAssistant, updateAssistant } from '../../contract/assistants.ts';
import { listAuditEvents } from '../../contract/audit.ts';
import { createBatch } from '../../contract/batches.ts';
import type { Batch } from '../../contract/batches.ts';
import { createKey, revokeAllKeys, revokeKey } from '../../contract/keys.ts';
import { logOut, openConsoleSession } from '../../contract/logins.ts';
import { deleteSession } from '../../contract/session-operations.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { send, sendRaw } from '../support/api.ts';
import * as factories from '../support/factories.ts';
import { recordedLog } from '../support/log.ts';
import { useTestApi } from '../support/set-up.ts';

const { PASSWORD } = factories;

describe('The audit trail', () => {
  const { log, text } = recordedLog();
  const api = useTestApi({ log, env: { TRUSTED_PROXIES: '1', WEBHOOK_ALLOW_HOSTS: '' } });

  const trailOf = async (token: string, query = {}) =>
    (await send(api, listAuditEvents, { token, query })).body.data.reverse();

  const account = () => ({ email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' });

  it('tells who did what to an account, from where and when, without a secret', async () => {
    const own = account();
    const { body } = await send(api, register, { body: own });
    const { token } = body;
    const headers = { 'X-Forwarded-For': '192.0.2.7' };
    await send(api, login, { body: { email: own.email, password: 'wrong password' }, headers });
    await send(api, login, { body: { email: own.email, password: PASSWORD } });
    await send(api, updateCurrentUser, { token, body: { monthly_budget_usd: 5 } });
    await send(api, updateCurrentUser, { token, body: { name: 'B' } });
    const key = (await send(api, createKey, { token, body: { name: 'k' } })).body;
    const settings = { name: 'a', type: 'text', llm_provider: 'openai', system_prompt: 'p' };
    const webhook = { webhook_url: 'https://192.0.2.1/', webhook_secret: 'whisper-it-softly' };
    await send(api, createAssistant, { token: key.token, body: { ...settings, webhook_url: 'http://127.0.0.1/' } });
    const { id } = (await send(api, createAssistant, { token: key.token, body: settings })).body;
    await send(api, updateAssistant, {
      token: key.token,
      params: { id },
      body: { webhook_secret: webhook.webhook_secret },
    });
    await send(api, deleteAssistant, { token: key.token, params: { id } });
    await send(api, revokeKey, { token, params: { key_id: key.key_id } });
    await send(api, changePassword, { token, body: { current_password: 'no', new_password: `${PASSWORD}!` } });
    const trail = await trailOf(token);
    expect(trail.map(({ action }) => action)).to.deep.equal([
      ...['registered', 'login_failed', 'login_succeeded', 'budget_changed', 'token_created'],
      ...['webhook_blocked', 'webhook_changed', 'assistant_deleted', 'token_revoked', 'password_change_failed'],
    ]);
    expect(trail[1]).to.deep.include({ address: '192.0.2.7', actor_id: null, details: { code: 'unauthorized' } });
    expect(trail[3]?.actor_id).to.match(/^login_/);
    expect(trail[3]?.details).to.deep.equal({ monthly_budget_usd: 5 });
    expect(trail[4]).to.include({ object_id: key.key_id });
    expect(trail[6]).to.deep.include({ actor_id: key.key_id, object_id: id, details: { fields: 'webhook_secret' } });
    for (const secret of [PASSWORD, 'wrong password', webhook.webhook_secret, key.token, token]) {
      expect(JSON.stringify(trail)).not.to.include(secret);
    }
  });

  it('tells of deletions and of the end of logins and tokens', async () => {
    const { user, token } = await factories.createUser();
    const { id } = await factories.createSession(await factories.createAssistant(user.id), { status: 'completed' });
    await send(api, deleteSession, { token, params: { id } });
    const deletion = {
      body: { action: 'delete', filter: { status: 'completed' } },
      headers: { 'Idempotency-Key': 'once' },
      token,
    };
    await send(api, createBatch, { token, body: { ...deletion.body, dry_run: true } });
    const { batch_id } = (await send(api, createBatch, deletion)).body as Batch;
    await send(api, createBatch, deletion);
    const session = (await send(api, login, { body: { email: user.email, password: PASSWORD } })).body.token;
    await send(api, revokeAllKeys, { token: session });
    const changed = { current_password: PASSWORD, new_password: `${PASSWORD}!` };
    const next = ((await send(api, changePassword, { token: session, body: changed })).body as Login).token;
    await send(api, logOut, { token: next });
    const last = (await send(api, login, { body: { email: user.email, password: `${PASSWORD}!` } })).body.token;
    const trail = await trailOf(last);
    expect(trail.map(({ action }) => action)).to.deep.equal([
      ...['session_deleted', 'session_deleted', 'login_succeeded', 'tokens_revoked'],
      ...['password_changed', 'login_ended', 'login_succeeded'],
    ]);
    expect(trail[0]?.object_id).to.equal(id);
    expect(trail[1]).to.deep.include({ object_id: batch_id, details: { total: 0 } });
  });

  it("shows nobody another user's, filters by action and time, and pages", async () => {
    const [one, other] = [await factories.createUser(), await factories.createUser()];
    for (let n = 0; n < 3; n++) await send(api, createKey, { token: one.token, body: { name: 'a' } });
    expect(await trailOf(other.token)).to.deep.equal([]);
    expect(await trailOf(one.token, { action: 'login_failed' })).to.deep.equal([]);
    expect(await trailOf(one.token, { created_after: '2100-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(await trailOf(one.token, { created_before: '2100-01-01T00:00:00Z' })).to.have.length(3);
    const page = (await send(api, listAuditEvents, { token: one.token, query: { limit: 2 } })).body;
    expect(page.data).to.have.length(2);
    const query = { limit: 2, cursor: page.next_cursor ?? '' };
    expect((await send(api, listAuditEvents, { token: one.token, query })).body.data).to.have.length(1);
  });

  it('is only ever added to, and goes when it is a year old', async () => {
    const { user } = await factories.createUser();
    const age = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
    for (const days of [360, 370]) {
      const row = { id: `audit_${crypto.randomUUID()}`, user_id: user.id, action: 'registered' as const };
      await AuditEventModel.query().insert({ ...row, created_at: age(days) });
    }
    const own = () => AuditEventModel.query().where({ user_id: user.id });
    for (const change of [own().patch({ action: 'login_failed' }), own().delete()]) {
      expect(
        await change.then(
          () => 'done',
          (error: unknown) => (error as Error).message,
        ),
      ).to.include('only ever added');
    }
    await AuditEventModel.removeExpired();
    expect((await own()).map(({ created_at }) => created_at > age(365))).to.deep.equal([true]);
  });

  it('and the log never show a token that was taken for an id; the log says route, address and actor', async () => {
    const { token } = await factories.createUser();
    const { key_id, token: secret } = (await send(api, createKey, { token, body: { name: 'a' } })).body;
    const headers = { 'X-Forwarded-For': '192.0.2.9' };
    await sendRaw(api, 'DELETE', `/v1/keys/${secret}`, { token: secret, headers });
    const own = account();
    const jwt = (await send(api, register, { body: own })).body.token;
    const opened = await send(api, openConsoleSession, { body: { email: own.email, password: PASSWORD } });
    const cookie = /=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const encoded = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    for (const one of [secret.replace('_', '%5F'), `x${secret}`, encoded, jwt, cookie]) {
      await sendRaw(api, 'GET', `/v1/logins/${one}`, { token });
      await sendRaw(api, 'GET', `/v1/nothing/${one}/at/all`, { token });
      expect(one.length).to.be.greaterThan(40);
      expect(text()).not.to.include(one);
    }
    expect(text()).not.to.include(secret);
    const lines = text()
      .split('\n')
      .filter((line) => line.includes('192.0.2.9'));
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '{}')).to.include({
      ...{ route: '/api/v1/keys/{key_id}', path: '/api/v1/keys/cas_…', address: '192.0.2.9', actor_id: key_id },
    });
  });
});
