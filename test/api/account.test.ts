import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { RunningApi } from '../../api/start.ts';
import { changePassword, getCurrentUser, login, register, updateCurrentUser } from '../../contract/account.ts';
import type { Login } from '../../contract/account.ts';
import type { LoginModel } from '../../db/models/login.ts';
import { UserModel } from '../../db/models/user.ts';
import { send, startTestApi, testConfig } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { createLogin, createUser, PASSWORD } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

describe('Accounts', () => {
  const api = useTestApi();
  let email: string;
  beforeEach(() => {
    email = `${randomUUID()}@Example.com`;
  });

  const signUp = (fields: object = {}) =>
    send(api, register, { body: { email, password: PASSWORD, name: 'Ada', ...fields } });
  const logIn = (fields: object = {}) => send(api, login, { body: { email, password: PASSWORD, ...fields } });
  const me = (token: string) => send(api, getCurrentUser, { token });
  const change = async (token: string, current_password: string, new_password: string) =>
    (await send(api, changePassword, { token, body: { current_password, new_password } })) as Answer<Login>;

  describe('POST /v1/auth/register', () => {
    it('§4.1 makes an account and logs it in for 24 hours', async () => {
      const { status, body } = await signUp();
      expect(status).to.equal(201);
      expect(body).to.include({ token_type: 'Bearer' });
      expect(body.user).to.include({ email, name: 'Ada' });
      const lifetimeMs = Date.parse(body.expires_at) - Date.now();
      expect(lifetimeMs).to.be.within(24 * 3_600_000 - 60_000, 24 * 3_600_000);
      expect((await me(body.token)).body).to.deep.equal(body.user);
    });

    it('§2.1 never returns or keeps the password', async () => {
      const { body } = await signUp();
      expect(JSON.stringify(body)).not.to.contain(PASSWORD).and.not.to.contain('argon2');
      const row = await UserModel.query().findById(body.user.id).throwIfNotFound();
      expect(JSON.stringify(row)).not.to.contain(PASSWORD);
      expect(row.password_hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it('answers 409 when the address is taken, in whatever case', async () => {
      await signUp();
      for (const taken of [email, email.toLowerCase(), email.toUpperCase()]) {
        const { problem } = await signUp({ email: taken, password: 'another password' });
        expect(problem).to.include({ status: 409, code: 'email_taken' });
      }
      expect((await logIn()).status).to.equal(200);
    });

    it('gives one account to two who register with one address at the same moment', async () => {
      const answers = await Promise.all([signUp(), signUp({ email: email.toUpperCase() })]);
      expect(answers.map(({ status }) => status)).to.have.members([201, 409]);
    });

    it('takes passwords of 8 to 256 characters of any kind', async () => {
      for (const password of ['12345678', 'x'.repeat(256), '👍'.repeat(256), '        ', 'пароль пароль']) {
        email = `${randomUUID()}@example.com`;
        expect((await signUp({ password })).status).to.equal(201);
        expect((await logIn({ password })).status).to.equal(200);
      }
      for (const password of ['', '1234567', '👍'.repeat(7), 'x'.repeat(257)]) {
        expect((await signUp({ password })).problem.errors?.map(({ path }) => path)).to.deep.equal(['password']);
      }
    });

    it('compares the whole password', async () => {
      await signUp({ password: 'x'.repeat(256) });
      expect((await logIn({ password: `${'x'.repeat(255)}y` })).status).to.equal(401);
      expect((await logIn({ password: 'x'.repeat(255) })).status).to.equal(401);
    });

    it('refuses what is no e-mail address or no name, all at once', async () => {
      for (const wrong of ['ada', 'ada@', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`, '']) {
        const { problem } = await signUp({ email: wrong, name: '', password: 'short' });
        expect(problem.errors?.map(({ path }) => path)).to.include.members(['email', 'name', 'password']);
      }
    });
  });

  describe('POST /v1/auth/login', () => {
    it('§5.4 gives a token for the address, in whatever case, and the password', async () => {
      const { body } = await signUp();
      for (const spelled of [email, email.toUpperCase()]) {
        const answer = await logIn({ email: spelled });
        expect(answer.status).to.equal(200);
        expect(answer.body.user).to.deep.equal(body.user);
        expect((await me(answer.body.token)).status).to.equal(200);
      }
    });

    it('does not tell an unknown address from a wrong password', async () => {
      await signUp();
      const wrong = await logIn({ password: 'wrong password' });
      const unknown = await logIn({ email: `${randomUUID()}@example.com` });
      expect(wrong.headers.get('www-authenticate')).to.equal('Bearer');
      const headersOf = ({ headers }: typeof wrong) =>
        [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
      expect(headersOf(unknown)).to.deep.equal(headersOf(wrong));
      const { request_id: _one, ...expected } = wrong.problem;
      const { request_id: _two, ...actual } = unknown.problem;
      expect(expected).to.include({ status: 401, code: 'unauthorized' });
      expect(actual).to.deep.equal(expected);
    });

    it('takes password and case of the password seriously', async () => {
      await signUp();
      for (const password of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD}\n`, '']) {
        expect((await logIn({ password })).status).to.equal(401);
      }
    });
  });

  describe('PATCH /user/me', () => {
    it('§4.1 changes the name and nothing else', async () => {
      const { body } = await signUp();
      const changed = await send(api, updateCurrentUser, { token: body.token, body: { name: 'Grace 👩‍🚀' } });
      expect(changed.status).to.equal(200);
      expect(changed.body).to.deep.equal({ ...body.user, name: 'Grace 👩‍🚀' });
      expect((await me(body.token)).body).to.deep.equal(changed.body);
      expect((await send(api, updateCurrentUser, { token: body.token, body: {} })).body).to.deep.equal(changed.body);
    });

    it('refuses every other field of the user', async () => {
      const { token } = (await signUp()).body;
      for (const field of ['email', 'password', 'id', 'created_at', 'password_hash', 'credentials_version']) {
        const { problem } = await send(api, updateCurrentUser, { token, body: { [field]: 'x' } });
        expect(problem.errors).to.deep.equal([{ path: field, message: 'is not a known field' }]);
      }
    });
  });

  describe('POST /v1/auth/change-password', () => {
    it('§4.1 voids every login token but the new one, and the old password', async () => {
      const old = [(await signUp()).body.token, (await logIn()).body.token];
      const { status, body } = await change(old[0] ?? '', PASSWORD, 'a new password');
      expect(status).to.equal(200);
      for (const token of old) expect((await me(token)).status).to.equal(401);
      expect((await me(body.token)).status).to.equal(200);
      expect((await logIn()).status).to.equal(401);
      expect((await logIn({ password: 'a new password' })).status).to.equal(200);
    });

    it('keeps API tokens alive', async () => {
      const { token } = await createUser();
      expect((await change(token, PASSWORD, 'a new password')).status).to.equal(200);
      expect((await me(token)).status).to.equal(200);
    });

    it('wants the current password, or changes nothing', async () => {
      const { token } = (await signUp()).body;
      const { problem } = await change(token, 'not the password', 'a new password');
      expect(problem).to.include({ status: 422, code: 'validation_failed' });
      expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['current_password']);
      expect((await change(token, PASSWORD, 'short')).problem.errors?.[0]?.path).to.equal('new_password');
      expect((await me(token)).status).to.equal(200);
      expect((await logIn()).status).to.equal(200);
    });
  });
});

describe('Login tokens', () => {
  let api: RunningApi;
  let claims: jwt.JwtPayload;
  let ours: string;
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
    [ours] = testConfig().jwtSecrets as [string];
    const { user } = await createUser();
    const now = Math.floor(Date.now() / 1_000);
    const issuer = 'conversation-analysis-service';
    claims = { sub: user.id, jti: await newLogin(user.id), iss: issuer, aud: issuer, iat: now, exp: now + 60 };
  });
  after(() => api.stop());

  async function newLogin(user_id: string, fields: Partial<LoginModel> = {}): Promise<string> {
    const secret = randomUUID();
    const user = await UserModel.query().findById(user_id).throwIfNotFound();
    await createLogin(user, { kind: 'token', ...fields, secret });
    return secret;
  }

  const sign = (payload: jwt.JwtPayload, { alg = 'HS256', key = ours }: { alg?: jwt.Algorithm; key?: string } = {}) =>
    jwt.sign(payload, key, { algorithm: alg, noTimestamp: true });
  const without = (name: string): jwt.JwtPayload =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
  const statusOf = async (token: string) => (await send(api, getCurrentUser, { token })).status;

  it('made like ours pass, so that the refusals below mean something', async () => {
    expect(await statusOf(sign(claims))).to.equal(200);
  });

  for (const [what, forge] of Object.entries<() => string | Promise<string>>({
    'without a signature': () => sign(claims, { alg: 'none', key: '' }),
    'with the signature cut off': () => sign(claims).replace(/[^.]*$/, ''),
    'signed with HS512': () => sign(claims, { alg: 'HS512', key: ours + ours }),
    'signed with HS384': () => sign(claims, { alg: 'HS384', key: ours + ours }),
    'signed with another secret': () => sign(claims, { key: 'x'.repeat(42) }),
    'that have expired': () => sign({ ...claims, exp: Math.floor(Date.now() / 1_000) - 1 }),
    'that never expire': () => sign(without('exp')),
    'that are not valid yet': () => sign({ ...claims, nbf: Math.floor(Date.now() / 1_000) + 60 }),
    'for another audience': () => sign({ ...claims, aud: 'another-service' }),
    'for no audience': () => sign(without('aud')),
    'of another issuer': () => sign({ ...claims, iss: 'another-service' }),
    'of no issuer': () => sign(without('iss')),
    'of nobody': () => sign(without('sub')),
    'of a user who is not there': () => sign({ ...claims, sub: 'user_01kaj4v5rzf1xtm8w3b2c9d0e7' }),
    'of another user than their login': async () => sign({ ...claims, sub: (await createUser()).user.id }),
    'of no login': () => sign(without('jti')),
    'of a login in another form': () => sign({ ...claims, jti: 1 as never }),
    'of a login that is not there': () => sign({ ...claims, jti: randomUUID() }),
    'of a login before the last password change': async () =>
      sign({ ...claims, jti: await newLogin(claims.sub!, { credentials_version: 0 }) }),
    'of a login whose time is over': async () =>
      sign({ ...claims, jti: await newLogin(claims.sub!, { expires_at: new Date(Date.now() - 1) }) }),
    'of a login by cookie': async () => sign({ ...claims, jti: await newLogin(claims.sub!, { kind: 'console' }) }),
  })) {
    it(`${what} are refused`, async () => {
      expect(await statusOf(await forge())).to.equal(401);
    });
  }

  it('outlive a change of the secret while the ring has the one that signed them', async () => {
    const next = 'n'.repeat(32);
    const withRing = async (JWT_SECRETS: string, use: (other: RunningApi) => Promise<void>) => {
      const other = await startTestApi({ env: { JWT_SECRETS, JWT_SECRET: '' } });
      try {
        await use(other);
      } finally {
        await other.stop();
      }
    };
    const logIn = async (at: RunningApi) => {
      const { email } = await UserModel.query().findById(claims.sub!).throwIfNotFound();
      return (await send(at, login, { body: { email, password: PASSWORD } })).body.token;
    };
    const statusAt = async (at: RunningApi, token: string) => (await send(at, getCurrentUser, { token })).status;
    const former = [await logIn(api), sign(claims)];
    await withRing(`${next},${ours}`, async (both) => {
      const token = await logIn(both);
      expect(jwt.verify(token, next)).to.include({ sub: claims.sub });
      expect(await statusOf(token), 'an API that does not have the new one yet').to.equal(401);
      for (const each of [...former, token]) expect(await statusAt(both, each)).to.equal(200);
      await withRing(next, async (onlyNext) => {
        expect(await statusAt(onlyNext, token)).to.equal(200);
        for (const each of former) expect(await statusAt(onlyNext, each)).to.equal(401);
      });
    });
  });

  it('signed with the same secret under HS512 verify elsewhere: it is the algorithm that is refused', async () => {
    const long = 's'.repeat(64);
    const other = await startTestApi({ env: { JWT_SECRET: long } });
    try {
      const answers = await Promise.all(
        (['HS256', 'HS384', 'HS512'] as const).map((alg) =>
          send(other, getCurrentUser, { token: sign(claims, { alg, key: long }) }),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 401, 401]);
    } finally {
      await other.stop();
    }
  });
});
