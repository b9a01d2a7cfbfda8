import { expect } from 'chai';
import { getCurrentUser } from '../../contract/account.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { createKey, listKeys, revokeAllKeys } from '../../contract/keys.ts';
import { SCOPES } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { UserModel } from '../../db/models/user.ts';
import { send } from '../support/api.ts';
import { createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const nameOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path}`;

describe('The scopes of an API token', () => {
  const api = useTestApi();

  async function tokenWith(scopes: readonly Scope[]): Promise<string> {
    const { token } = await createUser();
    return (await send(api, createKey, { token, body: { name: 'limited', scopes } })).body.token;
  }

  const call = (endpoint: Endpoint, token: string) => {
    const schemas = Object.entries(endpoint.params?.shape ?? {}) as [string, { meta(): { examples: [string] } }][];
    const params = Object.fromEntries(schemas.map(([name, schema]) => [name, schema.meta().examples[0]]));
    return send(api, endpoint, { token, params, ...(endpoint.body && { body: { nonsense: 1 } }) });
  };

  for (const endpoint of ENDPOINTS) {
    if (endpoint.auth === 'none') continue;
    it(`${endpoint.scope} opens ${nameOf(endpoint)}, and all others together do not`, async () => {
      const { scope } = endpoint;
      const refused = await call(endpoint, await tokenWith(SCOPES.filter((other) => other !== scope)));
      expect(refused.problem).to.include({ status: 403, code: 'insufficient_scope' });
      expect(refused.problem.detail).to.include(scope);
      expect(refused.headers.get('www-authenticate')).to.equal(`Bearer error="insufficient_scope", scope="${scope}"`);
      expect((await call(endpoint, await tokenWith([scope]))).status).not.to.be.oneOf([401, 403]);
    });
  }

  it('are shown with the token, and null where it may do everything', async () => {
    const { token } = await createUser();
    await send(api, createKey, { token, body: { name: 'a', scopes: ['sessions:read', 'sessions:read'] } });
    const { data } = (await send(api, listKeys, { token })).body;
    expect(data.map(({ scopes }) => scopes)).to.deep.equal([['sessions:read'], null]);
  });

  it('cannot be outgrown: a token makes none that may do more than it may', async () => {
    const token = await tokenWith(['keys:write', 'sessions:read']);
    const make = (body: object) => send(api, createKey, { token, body: { name: 'a', ...body } });
    expect((await make({ scopes: ['sessions:read'] })).status).to.equal(201);
    for (const bad of [{}, { scopes: ['sessions:read', 'account:write'] }]) {
      const { status, errors } = (await make(bad)).problem;
      expect([status, errors?.[0]?.path]).to.deep.equal([422, 'scopes']);
      expect(errors?.[0]?.message).to.include('account:write');
    }
  });

  it('end with the token that gave them: one that expires makes none that outlives it', async () => {
    const { token: owner } = await createUser();
    const make = (token: string, body: object) => send(api, createKey, { token, body: { name: 'a', ...body } });
    const token = (await make(owner, { expires_in_days: 10 })).body.token;
    expect((await make(token, { expires_in_days: 9 })).status).to.equal(201);
    for (const bad of [{}, { expires_in_days: 11 }]) {
      const { status, errors } = (await make(token, bad)).problem;
      expect([status, errors?.map(({ path }) => path)]).to.deep.equal([422, ['expires_in_days']]);
    }
  });

  it('must be known ones, and at least one', async () => {
    const { token } = await createUser();
    for (const scopes of [[], ['everything'], 'sessions:read', null]) {
      expect((await send(api, createKey, { token, body: { name: 'a', scopes } })).status).to.equal(422);
    }
  });
});

describe('API tokens, all at once', () => {
  const api = useTestApi({ env: { TRUSTED_PROXIES: '1' } });

  it('are revoked by one call, of their user and nobody else', async () => {
    const [owner, other] = [await createUser(), await createUser()];
    for (let n = 0; n < 2; n++) await send(api, createKey, { token: owner.token, body: { name: 'a' } });
    expect((await send(api, revokeAllKeys, { token: owner.token })).body).to.deep.equal({ revoked: 3 });
    expect((await send(api, getCurrentUser, { token: owner.token })).status).to.equal(401);
    expect((await send(api, getCurrentUser, { token: other.token })).status).to.equal(200);
  });

  it('say where and when each was last used', async () => {
    const { token } = await createUser();
    await send(api, getCurrentUser, { token, headers: { 'X-Forwarded-For': '192.0.2.7' } });
    const [key] = (await send(api, listKeys, { token })).body.data;
    expect(key?.last_used_address).to.equal('192.0.2.7');
    expect(Date.now() - Date.parse(key?.last_used_at ?? '')).to.be.lessThan(60_000);
  });

  it('are refused while their user is disabled, and taken again after it', async () => {
    const { user, token } = await createUser();
    await user.$query().patch({ disabled_at: new Date() });
    expect((await send(api, getCurrentUser, { token })).status).to.equal(401);
    await UserModel.query().findById(user.id).patch({ disabled_at: null });
    expect((await send(api, getCurrentUser, { token })).status).to.equal(200);
    expect(await ApiKeyModel.query().where({ user_id: user.id })).to.have.length(1);
  });
});
