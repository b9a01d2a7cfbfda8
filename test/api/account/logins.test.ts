import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { RunningApi } from '../../../api/start.ts';
import { type Login } from '../../../contract/account/account.ts';
import * as logins from '../../../contract/account/logins.ts';
import { LoginModel } from '../../../db/models/login.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send, startTestApi } from '../../support/api.ts';
import { createLogin, createUser, PASSWORD } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const HOUR_MS = 3_600_000;
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

describe('Logins', () => {
  const api = useTestApi();
  let user: UserModel;
  let apiToken: string;
  beforeEach(async () => {
    ({ user, token: apiToken } = await createUser());
  });

  const credentials = () => ({ email: user.email, password: PASSWORD });
  const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';
  const openConsole = async (headers = {}) =>
    send(api, logins.openConsoleSession, { body: credentials(), headers: { ...SAME_ORIGIN, ...headers } });
  const newCookie = async () => cookieOf(await openConsole());
  const newToken = async () => (await send(api, 'login', { body: credentials() })).body.token;
  const me = (headers: Record<string, string>) => send(api, 'getCurrentUser', { headers });
  const withCookie = async (cookie: string) => (await me({ Cookie: cookie, ...SAME_ORIGIN })).status;
  const withToken = async (token: string) => (await me({ Authorization: `Bearer ${token}` })).status;
  const list = async (headers: Record<string, string>) => (await send(api, logins.listLogins, { headers })).body.data;

  describe('in the console', () => {
    it('use a cookie that no script reads and no other site sends, and return no token', async () => {
      const answer = await openConsole();
      expect(answer.status).to.equal(200);
      expect(answer.body).to.have.all.keys('user');
      expect(answer.headers.get('set-cookie')).to.match(/^cas_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
      expect(await withCookie(cookieOf(answer))).to.equal(200);
      const body = { email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Ada' };
      const registered = await send(api, logins.registerInConsole, { body });
      expect([registered.status, await withCookie(cookieOf(registered))]).to.deep.equal([201, 200]);
      expect((await send(api, logins.registerInConsole, { body })).problem.code).to.equal('email_taken');
      const wrong = await send(api, logins.openConsoleSession, { body: { ...credentials(), password: 'wrong one' } });
      expect([wrong.status, wrong.headers.get('set-cookie')]).to.deep.equal([401, null]);
    });

    it('store only the hash of the cookie', async () => {
      const secret = (await newCookie()).split('=')[1] ?? '';
      const rows = await LoginModel.query().where({ user_id: user.id });
      expect(rows).to.have.length(1);
      expect(JSON.stringify(rows)).not.to.contain(secret);
      expect(rows[0]?.secret_hash.toString()).not.to.contain(secret);
    });

    it('return the user, clear the cookie when they end, and are not available to tokens', async () => {
      const headers = { Cookie: await newCookie(), ...SAME_ORIGIN };
      const { body } = await send(api, logins.getConsoleSession, { headers });
      expect(body.user.email).to.equal(user.email);
      expect(body.login).to.include({ kind: 'console', current: true });
      const closed = await send(api, logins.closeConsoleSession, { headers });
      expect(closed.status).to.equal(204);
      expect(closed.headers.get('set-cookie')).to.match(/^cas_console=; Max-Age=0; Path=\/; HttpOnly/);
      expect((await send(api, logins.getConsoleSession, { headers })).status).to.equal(401);
      for (const token of [apiToken, await newToken()]) {
        expect((await send(api, logins.getConsoleSession, { token })).status, 'no console login').to.equal(404);
        expect((await send(api, logins.closeConsoleSession, { token })).status).to.equal(404);
      }
    });

    it('are refused with a reason if the browser would drop the cookie', async () => {
      const env = { ALLOWED_HOSTS: 'console.example.com,127.0.0.1.example.com' };
      const published = await stopAfterTest(startTestApi({ env }));
      const statusAt = (host: string, headers = {}, at = published) => postAt(at, host, credentials(), headers);
      expect(await statusAt('console.example.com')).to.include({ status: 403, code: 'insecure_origin' });
      expect(await statusAt('127.0.0.1.example.com')).to.include({ status: 403 });
      expect(await statusAt('console.example.com', { 'X-Forwarded-Proto': 'https' })).to.include({ status: 403 });
      for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000']) {
        expect(await statusAt(host), host).to.include({ status: 200 });
      }
      const proxied = await stopAfterTest(startTestApi({ env: { TRUSTED_PROXIES: '1' } }));
      const https = { 'X-Forwarded-Proto': 'https' };
      const { status, cookie = '' } = await statusAt('console.example.com', https, proxied);
      expect(status).to.equal(200);
      expect(cookie).to.match(/^__Host-cas_console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
      const [pair = ''] = cookie.split(';');
      const read = (Cookie: string) =>
        send(proxied, logins.getConsoleSession, { headers: { Cookie, ...https, ...SAME_ORIGIN } });
      expect((await read(pair)).status).to.equal(200);
      expect((await read(pair.replace('__Host-', ''))).status, 'which any plain page of the host can set').to.equal(
        401,
      );
    });

    it('cannot be started from another origin', async () => {
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
      ]) {
        const answer = await openConsole(headers);
        expect(answer.problem).to.include({ status: 403, code: 'insecure_origin' });
        expect(answer.headers.get('set-cookie')).to.equal(null);
      }
    });
  });

  describe('by cookie are accepted', () => {
    let cookie: string;
    beforeEach(async () => {
      cookie = await newCookie();
    });
    const read = async (headers: Record<string, string>) => (await me({ Cookie: cookie, ...headers })).status;
    const write = async (headers: Record<string, string>) =>
      (await send(api, 'updateCurrentUser', { body: { name: 'Grace' }, headers: { Cookie: cookie, ...headers } }))
        .status;

    it('from the same origin, and for reads when the user opens a URL', async () => {
      expect([await write(SAME_ORIGIN), await write({ Origin: api.url }), await read({})]).to.deep.equal([
        200, 200, 200,
      ]);
      expect(await read({ 'Sec-Fetch-Site': 'none' })).to.equal(200);
      expect(await write({ 'Sec-Fetch-Site': 'none' })).to.equal(401);
    });

    it('from no other origin', async () => {
      for (const site of ['cross-site', 'same-site', 'nonsense']) {
        expect(await read({ 'Sec-Fetch-Site': site }), site).to.equal(401);
        expect(await write({ 'Sec-Fetch-Site': site, Origin: api.url }), site).to.equal(401);
      }
      expect(await write({})).to.equal(401);
      for (const Origin of ['https://evil.example', 'null', `${api.url}.evil.example`]) {
        expect([await write({ Origin }), await read({ Origin })], Origin).to.deep.equal([401, 401]);
      }
      expect((await UserModel.query().findById(user.id))?.name).to.equal('Ada');
    });

    it('never together with an Authorization header', async () => {
      expect(await read({ ...SAME_ORIGIN, Authorization: 'Bearer nothing' })).to.equal(401);
      expect(await read({ ...SAME_ORIGIN, Authorization: 'Basic eDp5' })).to.equal(401);
      const other = await createUser();
      const answer = await me({ Cookie: cookie, ...SAME_ORIGIN, Authorization: `Bearer ${other.token}` });
      expect(answer.body.id).to.equal(other.user.id);
    });

    it('never as a bearer token, and a token never as a cookie', async () => {
      expect(await withToken(cookie.split('=')[1] ?? '')).to.equal(401);
      for (const token of [apiToken, await newToken()]) {
        expect(await withCookie(`cas_console=${token}`)).to.equal(401);
      }
    });
  });

  describe('end', () => {
    async function cookieFor(fields: Partial<LoginModel>): Promise<string> {
      const secret = randomUUID();
      const { id } = await createLogin(user, { secret });
      await LoginModel.query().findById(id).patch(fields);
      return `cas_console=${secret}`;
    }

    it('after 24 hours without use', async () => {
      const usedAgo = (ms: number) => cookieFor({ last_used_at: new Date(Date.now() - ms) });
      expect(await withCookie(await usedAgo(24 * HOUR_MS + 1))).to.equal(401);
      const cookie = await usedAgo(24 * HOUR_MS - 60_000);
      expect(await withCookie(cookie)).to.equal(200);
      const [row] = await list({ Cookie: cookie, ...SAME_ORIGIN });
      expect(Date.parse(row?.last_used_at ?? '')).to.be.greaterThan(Date.now() - 60_000);
    });

    it('after 30 days in the console, and 24 hours for tokens, even if used', async () => {
      await openConsole();
      await newToken();
      const rows = await list({ Authorization: `Bearer ${apiToken}` });
      const hoursLeft = (time: string) => Math.round((Date.parse(time) - Date.now()) / HOUR_MS);
      const hours = rows.map(({ kind, expires_at }) => `${kind} ${hoursLeft(expires_at)}`);
      expect(hours).to.deep.equal(['token 24', 'console 720']);
      expect(await withCookie(await cookieFor({ expires_at: new Date(Date.now() - 1) }))).to.equal(401);
    });

    it('immediately on logout', async () => {
      const [cookie, other, token] = [await newCookie(), await newCookie(), await newToken()];
      expect((await send(api, logins.logOut, { token })).status).to.equal(204);
      expect(await withToken(token)).to.equal(401);
      const out = await send(api, logins.logOut, { headers: { Cookie: cookie, ...SAME_ORIGIN } });
      expect(out.headers.get('set-cookie')).to.contain('Max-Age=0');
      expect(await withCookie(cookie)).to.equal(401);
      expect(await withCookie(other)).to.equal(200);
    });

    it('when another login of the user ends them, and never by another user', async () => {
      const [cookie, token] = [await newCookie(), await newToken()];
      const headers = { Authorization: `Bearer ${token}` };
      const found = (await list(headers)).find(({ kind }) => kind === 'console');
      const params = { login_id: found?.login_id ?? '' };
      const stranger = await createUser();
      expect((await send(api, logins.endLogin, { token: stranger.token, params })).status).to.equal(404);
      expect(await withCookie(cookie)).to.equal(200);
      expect((await send(api, logins.endLogin, { token, params })).status).to.equal(204);
      expect(await withCookie(cookie)).to.equal(401);
      expect((await send(api, logins.endLogin, { token, params })).status).to.equal(404);
      expect((await list(headers)).map(({ kind }) => kind)).to.deep.equal(['token']);
    });

    it('but API tokens cannot log out; they are revoked', async () => {
      expect((await send(api, logins.logOut, { token: apiToken })).problem.code).to.equal('conflict');
    });
  });

  describe('when the password changes', () => {
    const change = (headers: Record<string, string>, current_password = PASSWORD) =>
      send(api, 'changePassword', { headers, body: { current_password, new_password: 'a new password' } });

    it('end, except the login that changed the password, and the console receives no token', async () => {
      const [cookie, other, token] = [await newCookie(), await newCookie(), await newToken()];
      const answer = await change({ Cookie: cookie, ...SAME_ORIGIN });
      expect([answer.status, answer.body]).to.deep.equal([204, undefined]);
      expect(await withCookie(cookie)).to.equal(200);
      expect([await withCookie(other), await withToken(token)]).to.deep.equal([401, 401]);
      expect((await list({ Cookie: cookie, ...SAME_ORIGIN })).map(({ current }) => current)).to.deep.equal([true]);
    });

    it('end if a login token changed the password, and the response contains a new token', async () => {
      const [cookie, token] = [await newCookie(), await newToken()];
      const { token: next } = (await change({ Authorization: `Bearer ${token}` })).body as Login;
      expect((await send(api, 'login', { body: credentials() })).status).to.equal(401);
      const body = { ...credentials(), password: 'a new password' };
      expect((await send(api, 'login', { body })).status).to.equal(200);
      expect([await withCookie(cookie), await withToken(token), await withToken(next)]).to.deep.equal([401, 401, 200]);
    });

    it('keep the API tokens, unless revoke_tokens is true and the password is right', async () => {
      const wrong = { current_password: 'wrong one', new_password: PASSWORD, revoke_tokens: true };
      expect((await send(api, 'changePassword', { token: apiToken, body: wrong })).status).to.equal(422);
      const body = { current_password: PASSWORD, new_password: PASSWORD };
      const keep = await send(api, 'changePassword', { token: await newToken(), body });
      expect([keep.status, await withToken(apiToken)]).to.deep.equal([200, 200]);
      const stranger = (await createUser()).token;
      const revoke = { ...body, revoke_tokens: true };
      const answer = await send(api, 'changePassword', { token: await newToken(), body: revoke });
      expect([answer.status, await withToken(apiToken), await withToken(stranger)]).to.deep.equal([200, 401, 200]);
    });

    it('concurrently: one change succeeds, and one token remains valid', async () => {
      const tokens = [await newToken(), await newToken()];
      const answers = await Promise.all(tokens.map((token) => change({ Authorization: `Bearer ${token}` })));
      expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
      const winner = answers.find(({ status }) => status === 200);
      const { token } = winner?.body as Login;
      expect(await withToken(token)).to.equal(200);
      expect((await list({ Authorization: `Bearer ${token}` })).length).to.equal(1);
    });
  });

  it('are listed newest first, with address and user agent', async () => {
    const names = ['Safari', 'x'.repeat(400), 'Firefox'];
    for (const name of names) await openConsole({ 'User-Agent': name });
    const rows = await list({ Authorization: `Bearer ${apiToken}` });
    expect(rows.map(({ user_agent }) => user_agent)).to.deep.equal(['Firefox', 'x'.repeat(300), 'Safari']);
    expect(rows.map(({ current }) => current)).to.deep.equal([false, false, false]);
    expect(rows[0]?.address).to.match(/127\.0\.0\.1$/);
    const cursor = rows[0]?.login_id ?? '';
    const { data } = (await send(api, logins.listLogins, { token: apiToken, query: { limit: 1, cursor } })).body;
    expect(data).to.deep.equal([rows[1]]);
  });

  it('that have expired are deleted at the next login', async () => {
    const old = await createLogin(user, { expires_at: new Date(Date.now() - 1) });
    await newToken();
    expect(await LoginModel.query().findById(old.id)).to.equal(undefined);
  });
});

/** Logs in with a Host header that `fetch` would not send, and returns status and error code. */
function postAt(
  { url }: RunningApi,
  host: string,
  body: object,
  headers: object,
): Promise<{ status: number | undefined; code: unknown; cookie: string | undefined }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof postAt>>>();
  const options = { method: 'POST', headers: { 'Content-Type': 'application/json', Host: host, ...headers } };
  request(`${url}/api/v1/auth/console-session`, options, (response) => {
    response.setEncoding('utf8');
    let text = '';
    response.on('data', (chunk: string) => (text += chunk));
    response.on('end', () =>
      resolve({
        status: response.statusCode,
        code: (JSON.parse(text) as { code?: unknown }).code,
        cookie: response.headers['set-cookie']?.[0],
      }),
    );
  })
    .on('error', reject)
    .end(JSON.stringify(body));
  return promise;
}
