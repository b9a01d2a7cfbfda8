import { ApiKeyModel } from '../../../db/models/api-key.ts';
import { UserModel } from '../../../db/models/user.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import type { Endpoint } from '../../../contract/values/endpoint.ts';
import { TOKEN_SCOPES, type Scope } from '../../../contract/values/scopes.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { createApiToken, createLoginTokens } from '../../../api/guard/tokens.ts';
import { send, testConfig } from '../../support/api.ts';
import { countLockWaits, testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { exampleParams } from '../../support/example-params.ts';
import { createUser } from '../../support/factories.ts';
import { createMember, createPerson, join } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('API tokens', () => {
  useConnections();
  const api = useTestApi({ env: { TRUSTED_PROXIES: '1' } });
  let owner: string;
  beforeEach(async () => {
    owner = (await createUser()).token;
  });

  const issue = (body: object = {}, token = owner) => send(api, 'createKey', { token, body: { name: 'a', ...body } });
  const statusOf = async (token: string) => (await send(api, 'getCurrentUser', { token })).status;
  const revoke = (key_id: string) => send(api, 'revokeKey', { token: owner, params: { key_id } });
  const list = async (query = {}) => (await send(api, 'listKeys', { token: owner, query })).body;
  const tokenWith = async (scopes: readonly Scope[]) => (await issue({ scopes })).body.token;

  it('§5.3 are shown only once, and stored as a hash', async () => {
    const created = await issue();
    expect(created.status).to.equal(201);
    const { token: secret, ...shown } = created.body;
    expect(secret).to.match(/^cas_[0-9a-z]{39}$/);
    expect((await list()).data[0]).to.deep.include(shown);
    expect(await statusOf(secret)).to.equal(200);
    const row = await ApiKeyModel.query().findById(created.body.key_id);
    expect(JSON.stringify(row)).not.to.contain(secret.slice(8));
  });

  it('expire after expires_in_days', async () => {
    const { key_id, token } = (await issue({ expires_in_days: 1 })).body;
    await ApiKeyModel.query()
      .findById(key_id)
      .patch({ expires_at: new Date(Date.now() - 1) });
    expect(await statusOf(token)).to.equal(401);
  });

  it('§5.2 are revoked immediately, together with the tokens that they created, and no others', async () => {
    const make = async (by: string) => (await issue({ scopes: TOKEN_SCOPES }, by)).body;
    const parent = await make(owner);
    const child = await make(parent.token);
    const grandchild = await make(child.token);
    const sibling = await make(owner);
    expect(child).to.include({ created_by_key: parent.key_id });
    expect((await revoke(parent.key_id)).status).to.equal(204);
    const statuses: number[] = [];
    for (const { token } of [parent, child, grandchild, sibling]) statuses.push(await statusOf(token));
    expect(statuses).to.deep.equal([401, 401, 401, 200]);
  });

  it('are refused with the reason and its time if they were valid once; a wrong token learns nothing', async () => {
    const refusalOf = async (token: string) => (await send(api, 'getCurrentUser', { token })).problem.detail;
    const made = [(await issue()).body, (await issue()).body, (await issue()).body] as const;
    const [expired, revoked, parent] = made;
    const child = (await issue({}, (await issue({ scopes: TOKEN_SCOPES })).body.token)).body;
    const expires_at = new Date(Date.now() - 1);
    await ApiKeyModel.query().findById(expired.key_id).patch({ expires_at });
    await revoke(revoked.key_id);
    await ApiKeyModel.query().deleteById(child.created_by_key ?? '');
    expect(await refusalOf(expired.token)).to.equal(
      `This API token expired at ${expires_at.toISOString()}. Create a new one.`,
    );
    for (const { token } of [revoked, child])
      expect(await refusalOf(token)).to.match(/^This API token was revoked at 2/);
    const old = { token_hash: Buffer.from('old'), revoked_at: new Date(Date.now() - 91 * 24 * 3_600_000) };
    await testDatabase().db('revoked_tokens').insert(old);
    await ApiKeyModel.query().deleteById(parent.key_id);
    expect(await testDatabase().db('revoked_tokens').where({ token_hash: old.token_hash })).to.deep.equal([]);
    const general = 'Send a valid token as "Authorization: Bearer <API_TOKEN>".';
    for (const wrong of [
      createApiToken().token,
      'cas_',
      `${parent.token}0`,
      revoked.token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
    ])
      expect(await refusalOf(wrong), wrong).to.equal(general);
    const { user } = await createUser();
    const config = testConfig();
    const issued = createLoginTokens(config.jwtSecrets);
    const login = issued.issue(
      { user_id: user.id, jti: 'x' },
      new Date(Math.floor(Date.now() / 1_000) * 1_000 - 5_000),
    );
    expect(await refusalOf(login)).to.equal('This login has ended or expired. Log in again.');
    const foreign = createLoginTokens(['another secret of thirty-two characters']);
    expect(await refusalOf(foreign.issue({ user_id: user.id, jti: 'x' }, new Date(1_000)))).to.equal(general);
  });

  it("can all be revoked with one call, which affects only the user's tokens", async () => {
    const other = await createUser();
    for (let n = 0; n < 2; n++) await issue();
    expect((await send(api, 'revokeAllKeys', { token: owner })).body).to.deep.equal({ revoked: 3 });
    expect([await statusOf(owner), await statusOf(other.token)]).to.deep.equal([401, 200]);
  });

  it('are listed newest first, in pages if there is a limit', async () => {
    for (const name of ['1', '2', '3']) await issue({ name });
    expect(await list()).to.have.property('next_cursor', null);
    const { data, next_cursor } = await list({ limit: 3 });
    const rest = await list({ limit: 3, cursor: next_cursor ?? '' });
    expect([...data, ...rest.data].map(({ name }) => name)).to.deep.equal(['3', '2', '1', 'test']);
  });

  it('show when and from which address they were last used', async () => {
    await send(api, 'getCurrentUser', { token: owner, headers: { 'X-Forwarded-For': '192.0.2.7' } });
    const [key] = (await list()).data;
    expect(key?.last_used_address).to.equal('192.0.2.7');
    expect(Date.now() - Date.parse(key?.last_used_at ?? '')).to.be.lessThan(60_000);
  });

  const call = (endpoint: Endpoint, token: string) => {
    const params = exampleParams(endpoint);
    return send(api, endpoint, { token, params, ...(endpoint.body && { body: { nonsense: 1 } }) });
  };

  it('Scopes: every endpoint requires its scope, and no other scope grants access', async () => {
    let tokens = new Map<string, string>();
    const reuseToken = async (scopes: readonly Scope[]) => {
      const key = scopes.join();
      if (!tokens.has(key)) tokens.set(key, await tokenWith(scopes));
      return tokens.get(key)!;
    };
    for (const endpoint of ENDPOINTS) {
      if (endpoint.scope === null) continue;
      const { scope, operationId, readsOwn } = endpoint;
      // Which sessions `sessions:own` reads: test/api/guard/own-sessions.test.ts.
      const others = TOKEN_SCOPES.filter((other) => other !== scope && !(readsOwn && other === 'sessions:own'));
      const refused = await call(endpoint, await reuseToken(others));
      expect(refused.status, operationId).to.equal(403);
      expect(refused.problem).to.include({ code: 'insufficient_scope' });
      expect(refused.problem.detail).to.include(scope);
      expect(refused.headers.get('www-authenticate')).to.equal(`Bearer error="insufficient_scope", scope="${scope}"`);
      if (!TOKEN_SCOPES.includes(scope)) continue;
      const allowed = await call(endpoint, await reuseToken([scope]));
      // Some endpoints refuse tokens with any scopes, because only people may use them.
      const refusal = allowed.status === 403 ? allowed.problem.code : allowed.status;
      expect(refusal, operationId).not.to.be.oneOf([401, 'insufficient_scope']);
      if (endpoint.method === 'get' || endpoint.body || endpoint.params) continue;
      // The call may have ended all tokens of its user.
      owner = (await createUser()).token;
      tokens = new Map();
    }
  });

  it('Scopes: they are returned with the token, null if none were requested; unknown or empty scopes are refused', async () => {
    await issue();
    await issue({ scopes: ['sessions:read', 'sessions:read'] });
    expect((await list()).data.map(({ scopes }) => scopes)).to.deep.equal([['sessions:read'], null, [...TOKEN_SCOPES]]);
    for (const scopes of [[], ['everything'], 'sessions:read']) {
      expect((await issue({ scopes })).status, JSON.stringify(scopes)).to.equal(422);
    }
  });

  it('Scopes: budget:write and keys:write must be requested explicitly', async () => {
    const token = (await issue()).body.token;
    const update = (body: object, by = token) => send(api, 'updateCurrentUser', { token: by, body });
    const refused = [
      await update({ monthly_budget_usd: null }),
      await issue({}, token),
      await send(api, 'revokeAllKeys', { token }),
      await update({ monthly_budget_usd: 5 }, await tokenWith(['account:write'])),
    ];
    expect(refused.map(({ problem }) => problem.detail)).to.deep.equal([
      'This token lacks the scope budget:write, which monthly_budget_usd needs.',
      'This token lacks the scope keys:write.',
      'This token lacks the scope keys:write.',
      'This token lacks the scope budget:write, which monthly_budget_usd needs.',
    ]);
    expect((await update({ name: 'Grace' })).status).to.equal(200);
    const named = await tokenWith(['account:write', 'budget:write']);
    expect((await update({ monthly_budget_usd: 5 }, named)).body.monthly_budget_usd).to.equal(5);
  });

  it('show who created them, also after that member has left', async () => {
    const [boss, member] = [await createPerson(), await createPerson()];
    await join(boss.workspaceId, member, 'developer');
    const at = { token: member.token, workspace: boss.workspaceId };
    await send(api, 'createKey', { ...at, body: { name: 'crm' } });
    const creators = async () =>
      (await send(api, 'listKeys', { token: boss.token })).body.data.map(
        ({ created_by, created_by_name, created_by_left }) => [created_by, created_by_name, created_by_left],
      );
    expect((await creators())[0]).to.deep.equal([member.user.id, 'Ada', false]);
    const removal = { token: boss.token, params: { user_id: member.user.id }, query: { tokens: 'keep' } };
    expect((await send(api, 'removeMember', removal)).status).to.equal(204);
    expect((await creators())[0]).to.deep.equal([member.user.id, 'Ada', true]);
    await UserModel.query().deleteById(member.user.id);
    expect(await creators()).to.deep.equal([
      [null, null, true],
      [boss.user.id, 'Ada', false],
    ]);
  });

  it('can be rolled: the new token has the same rights, and the old one expires after the overlap', async () => {
    const old = (await issue({ scopes: ['sessions:read', 'account:read', 'keys:write'], expires_in_days: 10 })).body;
    const roll = (body: object, by = owner) =>
      send(api, 'rollKey', { token: by, params: { key_id: old.key_id }, body });
    const { body: next, status } = await roll({});
    expect(status).to.equal(201);
    expect(next).to.deep.include({ name: 'a', scopes: old.scopes, expires_at: old.expires_at });
    expect([await statusOf(old.token), await statusOf(next.token)]).to.deep.equal([200, 200]);
    const expiry = Date.parse((await list()).data.find(({ key_id }) => key_id === old.key_id)?.expires_at ?? '');
    expect(expiry - Date.now()).to.be.within(23 * 3_600_000, 24 * 3_600_000);
    expect((await roll({}, old.token)).problem.code, 'a token is rolled once').to.equal('conflict');
    const again = { token: next.token, params: { key_id: next.key_id }, body: { overlap_hours: 0 } };
    const itself = (await send(api, 'rollKey', again)).body;
    expect([next.rolled_from, itself.rolled_from]).to.deep.equal([old.key_id, next.key_id]);
    expect(itself.created_by_key).to.equal(old.created_by_key);
    expect([await statusOf(next.token), await statusOf(itself.token)]).to.deep.equal([401, 200]);
    expect((await send(api, 'rollKey', { ...again, token: owner })).status).to.equal(404);
  });

  it('Threat: a leaked token cannot survive by rolling itself: revoking one of a chain revokes all', async () => {
    for (const revoked of [0, 1, 2]) {
      const chain = [(await issue({ scopes: ['keys:write', 'sessions:read'] })).body];
      while (chain.length < 3) {
        const { token, key_id } = chain.at(-1)!;
        chain.push((await send(api, 'rollKey', { token, params: { key_id }, body: {} })).body);
      }
      const bystander = (await issue({})).body.token;
      const answer = await send(api, 'revokeKey', { token: owner, params: { key_id: chain[revoked]!.key_id } });
      expect(answer.status).to.equal(204);
      const statuses = [];
      for (const { token } of chain) statuses.push(await statusOf(token));
      expect([...statuses, await statusOf(bystander)], `token ${revoked}`).to.deep.equal([401, 401, 401, 200]);
    }
  });

  it('Threat: nobody gets more rights by rolling a token', async () => {
    const boss = await createPerson();
    const developer = await createMember(boss.workspaceId, 'developer');
    const scopes = ['audit:read', 'sessions:read'];
    const { key_id } = (await send(api, 'createKey', { token: boss.token, body: { name: 'a', scopes } })).body;
    const asked = { token: developer.token, workspace: boss.workspaceId, params: { key_id }, body: {} };
    const refused = await send(api, 'rollKey', asked);
    expect(refused.problem.errors?.[0]?.message).to.contain('developer').and.to.contain('audit:read');
    const limited = await tokenWith(['keys:write']);
    const own = (await issue({})).body.key_id;
    expect((await send(api, 'rollKey', { token: limited, params: { key_id: own }, body: {} })).paths).to.deep.equal([
      'scopes',
    ]);
  });

  it('Threat: a member who is removed while creating a token gets none', async () => {
    const boss = await createPerson();
    const member = await createMember(boss.workspaceId, 'developer');
    const { db } = testDatabase();
    const removal = await db.transaction();
    await WorkspaceModel.lock(boss.workspaceId, removal);
    const asked = { token: member.token, workspace: boss.workspaceId, body: { name: 'late' } };
    const created = send(api, 'createKey', asked);
    await eventually(countLockWaits, (waiting) => waiting > 0);
    await MembershipModel.remove({ workspace_id: boss.workspaceId, user_id: member.user.id }, removal);
    await removal.commit();
    expect((await created).status).to.equal(404);
    expect(await ApiKeyModel.query().where({ created_by: member.user.id, name: 'late' })).to.deep.equal([]);
  });

  it('create no token with more scopes or a later expiry than their own', async () => {
    const limited = await tokenWith(['keys:write', 'sessions:read']);
    expect((await issue({ scopes: ['sessions:read'] }, limited)).status).to.equal(201);
    for (const bad of [{}, { scopes: ['sessions:read', 'account:write'] }]) {
      const { status, errors } = (await issue(bad, limited)).problem;
      expect([status, errors?.[0]?.path]).to.deep.equal([422, 'scopes']);
      expect(errors?.[0]?.message).to.include('account:write');
    }
    const { token } = (await issue({ expires_in_days: 10, scopes: TOKEN_SCOPES })).body;
    expect((await issue({ expires_in_days: 9 }, token)).status).to.equal(201);
    for (const bad of [{}, { expires_in_days: 11 }]) {
      expect((await issue(bad, token)).paths).to.deep.equal(['expires_in_days']);
    }
  });
});
