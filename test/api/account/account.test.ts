// cspell:ignore mnchen münchen
import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { LoginModel } from '../../../db/models/login.ts';
import { UserModel } from '../../../db/models/user.ts';
import { errorAt } from '../../../contract/errors/field-errors.ts';
import { send, startTestApi, testConfig } from '../../support/api.ts';
import { hashPassword } from '../../../api/guard/passwords.ts';
import { createLogin, createUser, PASSWORD } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const DAY_MS = 24 * 3_600_000;

describe('Accounts', () => {
  const api = useTestApi();
  let email: string;
  beforeEach(() => {
    email = `${randomUUID()}@Example.com`;
  });

  const signUp = (fields: object = {}) =>
    send(api, 'register', { body: { email, password: PASSWORD, name: 'Ada', ...fields } });
  const logIn = (fields: object = {}) => send(api, 'login', { body: { email, password: PASSWORD, ...fields } });
  const me = (token: string) => send(api, 'getCurrentUser', { token });
  const update = (token: string, body: object) => send(api, 'updateCurrentUser', { token, body });

  it('§4.1 Registration creates an account, logs in for 24 hours, and never returns or stores the password', async () => {
    const { status, body } = await signUp();
    expect(status).to.equal(201);
    expect(body).to.include({ token_type: 'Bearer' });
    expect(body.user).to.include({ email, name: 'Ada' });
    expect(Date.parse(body.expires_at) - Date.now()).to.be.within(DAY_MS - 60_000, DAY_MS);
    expect((await me(body.token)).body).to.deep.equal(body.user);
    expect(JSON.stringify(body)).not.to.contain(PASSWORD).and.not.to.contain('argon2');
    const row = await UserModel.query().findById(body.user.id).throwIfNotFound();
    expect(JSON.stringify(row)).not.to.contain(PASSWORD);
    expect(row.password_hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('Registration of an existing address is 409, in any letter case and also for concurrent requests', async () => {
    const answers = await Promise.all([signUp(), signUp({ email: email.toUpperCase() })]);
    expect(answers.map(({ status }) => status)).to.have.members([201, 409]);
    const { problem } = await signUp({ email: email.toLowerCase(), password: 'another password' });
    expect(problem).to.include({ status: 409, code: 'email_taken' });
    expect((await logIn()).status).to.equal(200);
  });

  it('Guessed password: the most common ones are refused', async () => {
    for (const common of ['password1', 'PASSWORD1', '12345678', 'qwerty123', 'aaaaaaaa', '12341234']) {
      expect((await signUp({ password: common })).paths, common).to.deep.equal(['password']);
    }
  });

  it('Guessed password: runs of an alphabet or keyboard are refused in both directions, with a digit added too', async () => {
    /* cspell:disable */
    const alphabets = ['abcdefgh', 'MnOpQrStUv', 'абвгдежз', '0123456789'];
    const keyboards = [
      'qwertyuiop',
      'asdfghjkl;',
      'zxcvbnm,.',
      'azertyui',
      'qwertzui',
      '1qaz2wsx',
      'йцукенгш',
      'фывапролд',
      'ячсмитьб',
    ];
    /* cspell:enable */
    for (const run of [...alphabets, ...keyboards].flatMap((each) => [
      each,
      [...each].reverse().join(''),
      `${each}1`,
    ])) {
      expect((await signUp({ password: run })).paths, run).to.deep.equal(['password']);
    }
  });

  it('Guessed password: several words, runs or repetitions together are refused, also in Cyrillic', async () => {
    // cspell:disable-next-line
    for (const joined of ['ываыва12', 'xyzabc12', 'кодкод12', 'москва2024', 'йцуфыв12', 'sunflower12', '1qaz1990']) {
      expect((await signUp({ password: joined })).paths, joined).to.deep.equal(['password']);
    }
  });

  it('a new password of 256 characters is judged in at most 150 ms of processor time', async () => {
    for (const part of ['p@ssw0rd4$1!', '1a', 'qwerty', '2026-01-01', '4$@81!|0']) {
      const { user } = process.cpuUsage();
      await hashPassword(part.repeat(256).slice(0, 256)).catch(() => undefined);
      expect(process.cpuUsage({ user, system: 0 }).user / 1_000, part).to.be.below(150);
    }
  });

  it('Passwords have 8 to 256 characters of any kind, and every character counts', async () => {
    for (const password of [`${'👍'.repeat(255)}x`, '  a      ', 'пароль пароль']) {
      email = `${randomUUID()}@example.com`;
      expect((await signUp({ password })).status).to.equal(201);
      expect((await logIn({ password })).status).to.equal(200);
    }
    for (const password of ['', '1234567', '👍'.repeat(7), 'x'.repeat(257)]) {
      expect((await signUp({ password })).paths).to.deep.equal(['password']);
    }
    email = `${randomUUID()}@example.com`;
    const password = `${'x'.repeat(253)}yZ`;
    await signUp({ password });
    for (const wrong of [password.toLowerCase(), password.slice(0, -1), ` ${password.slice(1)}`, `${password}\n`, '']) {
      expect((await logIn({ password: wrong })).status, wrong).to.equal(401);
    }
  });

  it('Registration refuses invalid email addresses and names, all errors at once', async () => {
    for (const wrong of ['ada', 'ada@', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`, '']) {
      const { paths } = await signUp({ email: wrong, name: '', password: 'short' });
      expect(paths, wrong).to.include.members(['email', 'name', 'password']);
    }
  });

  it('An address may have a national domain, which is the same in letters and as DNS has it', async () => {
    const local = randomUUID();
    for (const [written, stored] of [
      ['почта.рф', 'xn--80a1acny.xn--p1ai'],
      ['münchen.de', 'xn--mnchen-3ya.de'],
    ] as const) {
      email = `${local}@${written}`;
      expect((await signUp()).body.user.email).to.equal(`${local}@${stored}`);
      expect((await logIn({ email: `${local}@${stored}` })).status).to.equal(200);
      expect((await logIn()).status).to.equal(200);
    }
    for (const wrong of ['почта.рф/x', 'почта', 'почта..рф', 'почта.рф@почта.рф'])
      expect((await signUp({ email: `${local}@${wrong}` })).paths, wrong).to.deep.equal(['email']);
  });

  it('§5.4 Login accepts the address in any letter case, and responds equally to unknown addresses and wrong passwords', async () => {
    const { body } = await signUp();
    const { status, body: loggedIn } = await logIn({ email: email.toUpperCase() });
    expect([status, loggedIn.user]).to.deep.equal([200, body.user]);
    expect((await me(loggedIn.token)).status).to.equal(200);
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

  it('§4.1 PATCH /user/me changes the name and nothing else', async () => {
    const { token, user } = (await signUp()).body;
    const { body } = await update(token, { name: 'Grace 👩‍🚀' });
    expect(body).to.deep.equal({ ...user, name: 'Grace 👩‍🚀' });
    for (const field of ['email', 'password', 'id', 'created_at', 'password_hash', 'credentials_version']) {
      const { problem } = await update(token, { [field]: 'x' });
      expect(problem.errors).to.deep.equal([errorAt(field, 'unknown_field')]);
    }
    expect((await update(token, {})).body).to.deep.equal(body);
  });

  it('PATCH /user/me stores the language of the console; null means the language of the browser', async () => {
    const { token, user } = (await signUp()).body;
    expect(user.language).to.equal(null);
    for (const language of ['uz', null]) expect((await update(token, { language })).body).to.include({ language });
    expect((await update(token, { language: 'xx' })).paths).to.deep.equal(['language']);
  });

  it('PATCH /user/me adds and deletes views by name, and keeps those of concurrent changes', async () => {
    const { token, user } = (await signUp()).body;
    expect(user.views).to.deep.equal({});
    const names = ['a', 'b', 'c', '__proto__x', 'constructor'];
    await Promise.all(names.map((name) => update(token, { views: { [name]: `/sessions?q=${name}` } })));
    expect((await me(token)).body.views).to.have.all.keys(names);
    const { body } = await update(token, { views: { a: null, b: '/deliveries', missing: null } });
    expect(body.views).to.include({ b: '/deliveries', c: '/sessions?q=c' }).and.not.to.have.any.keys('a', 'missing');
    for (const path of ['https://example.com/', '//example.com', '/sessions/x', 'javascript:alert(1)'])
      expect((await update(token, { views: { d: path } })).paths, path).to.deep.equal(['views.d']);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`view ${index}`, '/sessions']));
    expect((await update(token, { views: many })).paths).to.deep.equal(['views']);
    expect((await me(token)).body.views).to.deep.equal(body.views);
  });

  it('A password change needs the current password and a valid new one, or changes nothing', async () => {
    const { token } = (await signUp()).body;
    const change = (current_password: string, new_password: string) =>
      send(api, 'changePassword', { token, body: { current_password, new_password } });
    expect((await change('not the password', 'a new password')).paths).to.deep.equal(['current_password']);
    expect((await change(PASSWORD, 'short')).paths).to.deep.equal(['new_password']);
    expect((await me(token)).status).to.equal(200);
    expect((await logIn()).status).to.equal(200);
  });
});

describe('Login tokens', () => {
  const api = useTestApi();
  let claims: jwt.JwtPayload;
  let ours: string;
  before(async () => {
    [ours] = testConfig().jwtSecrets as [string];
    const { user } = await createUser();
    const now = Math.floor(Date.now() / 1_000);
    const issuer = 'conversation-analysis-service';
    claims = { sub: user.id, jti: await newLogin(user.id), iss: issuer, aud: issuer, iat: now, exp: now + 60 };
  });

  async function newLogin(userId: string, fields: Partial<LoginModel> = {}): Promise<string> {
    const secret = randomUUID();
    const user = await UserModel.query().findById(userId).throwIfNotFound();
    await createLogin(user, { kind: 'token', ...fields, secret });
    return secret;
  }

  const sign = (payload: jwt.JwtPayload, { alg = 'HS256', key = ours }: { alg?: jwt.Algorithm; key?: string } = {}) =>
    jwt.sign(payload, key, { algorithm: alg, noTimestamp: true });
  const without = (name: string): jwt.JwtPayload =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
  const statusAt = async (at: { url: string }, token: string) => (await send(at, 'getCurrentUser', { token })).status;

  it('are refused unless signature, times, audience, issuer, user and login are all valid', async () => {
    expect(await statusAt(api, sign(claims)), 'a valid one').to.equal(200);
    const now = Math.floor(Date.now() / 1_000);
    const forged: Record<string, string> = {
      'no signature': sign(claims, { alg: 'none', key: '' }),
      'signature cut off': sign(claims).replace(/[^.]*$/, ''),
      'another secret': sign(claims, { key: 'x'.repeat(42) }),
      expired: sign({ ...claims, exp: now - 1 }),
      'no expiry': sign(without('exp')),
      'not valid yet': sign({ ...claims, nbf: now + 60 }),
      'another audience': sign({ ...claims, aud: 'another-service' }),
      'no audience': sign(without('aud')),
      'another issuer': sign({ ...claims, iss: 'another-service' }),
      'no issuer': sign(without('iss')),
      'no user': sign(without('sub')),
      'unknown user': sign({ ...claims, sub: 'user_01kaj4v5rzf1xtm8w3b2c9d0e7' }),
      'another user than the login': sign({ ...claims, sub: (await createUser()).user.id }),
      'no login': sign(without('jti')),
      'login in another form': sign({ ...claims, jti: 1 as never }),
      'unknown login': sign({ ...claims, jti: randomUUID() }),
      'login before the last password change': sign({
        ...claims,
        jti: await newLogin(claims.sub!, { credentials_version: 0 }),
      }),
      'expired login': sign({ ...claims, jti: await newLogin(claims.sub!, { expires_at: new Date(Date.now() - 1) }) }),
      'login by cookie': sign({ ...claims, jti: await newLogin(claims.sub!, { kind: 'console' }) }),
    };
    for (const [what, token] of Object.entries(forged)) expect(await statusAt(api, token), what).to.equal(401);
  });

  it('stay valid after a new secret is added, as long as JWT_SECRETS lists the secret that signed them', async () => {
    const next = 'n'.repeat(32);
    const startWith = (JWT_SECRETS: string) => stopAfterTest(startTestApi({ env: { JWT_SECRETS } }));
    const logIn = async (at: { url: string }) => {
      const { email } = await UserModel.query().findById(claims.sub!).throwIfNotFound();
      return (await send(at, 'login', { body: { email, password: PASSWORD } })).body.token;
    };
    const former = [await logIn(api), sign(claims)];
    const both = await startWith(`${next},${ours}`);
    const token = await logIn(both);
    expect(jwt.verify(token, next)).to.include({ sub: claims.sub });
    expect(await statusAt(api, token), 'an API without the new secret').to.equal(401);
    for (const each of [...former, token]) expect(await statusAt(both, each)).to.equal(200);
    const onlyNext = await startWith(next);
    expect(await statusAt(onlyNext, token)).to.equal(200);
    for (const each of former) expect(await statusAt(onlyNext, each)).to.equal(401);
  });

  it('are signed with HS256 only: HS384 and HS512 with the same secret are refused', async () => {
    const key = 's'.repeat(64);
    const other = await stopAfterTest(startTestApi({ env: { JWT_SECRETS: key } }));
    const statuses: number[] = [];
    for (const alg of ['HS256', 'HS384', 'HS512'] as const) {
      statuses.push(await statusAt(other, sign(claims, { alg, key })));
    }
    expect(statuses).to.deep.equal([200, 401, 401]);
  });
});
