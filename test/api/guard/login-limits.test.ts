import { randomInt, randomUUID } from 'node:crypto';
import { accountOf } from '../../../api/guard/login-limits.ts';
import { register } from '../../../contract/account/account.ts';
import { registerInConsole } from '../../../contract/account/logins.ts';
import { send, startTestApi } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { createUser, PASSWORD } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const WINDOW_S = 15 * 60;

const newGroup = () => (0x1000 + randomInt(0xe000)).toString(16);

/** Returns a new client address for each test, as a trusted proxy reports it. */
const newAddress = () => `2001:${newGroup()}:${newGroup()}:${newGroup()}::1`;

/** The networks of the address that have counters. */
const networkOf = (address: string) => address.replace(/::1$/, '::/64');
const siteOf = (address: string) => address.replace(/:[^:]+::1$/, '::/48');

describe('Failed logins', () => {
  const api = useTestApi({ env: { TRUSTED_PROXIES: '1' } });
  let email: string;
  let token: string;
  let address: string;
  beforeEach(async () => {
    const created = await createUser();
    [email, token, address] = [created.user.email, created.token, newAddress()];
  });

  const tryFrom = async (from: string, fields: object = {}, at = api) =>
    send(at, 'login', { body: { email, password: 'wrong password', ...fields }, headers: { 'X-Forwarded-For': from } });
  const statusFrom = async (from: string, fields: object = {}, at = api) => (await tryFrom(from, fields, at)).status;
  const RIGHT = { password: PASSWORD };

  const counters = () => testDatabase().db.table('rate_limits');

  /** Sets a counter to this many failures, without hashing a password for each. */
  const countFailures = (key: string, points: number) =>
    counters()
      .insert({ key, points, expire: Date.now() + WINDOW_S * 1_000 })
      .onConflict('key')
      .merge();

  /** Returns the counter of an address and an account. Its limit is ten failures. */
  const pairKey = (from: string, account = email) => `login-email-address:${accountOf(account)} ${networkOf(from)}`;

  it('Limit of ten per address and account: then even the right password gets 429 from there, and works elsewhere', async () => {
    const failures: number[] = [];
    for (let i = 0; i < 10; i++) failures.push(await statusFrom(address, i % 2 ? { email: email.toUpperCase() } : {}));
    expect(failures).to.deep.equal(Array<number>(10).fill(401));
    for (const fields of [{}, RIGHT, { ...RIGHT, email: email.toUpperCase() }]) {
      const answer = await tryFrom(address, fields);
      expect(answer.problem).to.include({ status: 429, code: 'rate_limited' });
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, WINDOW_S);
    }
    const byConsole = { headers: { 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin' } };
    const console = await send(api, 'openConsoleSession', { ...byConsole, body: { email, ...RIGHT } });
    expect([console.status, console.headers.get('set-cookie')]).to.deep.equal([429, null]);
    const other = await stopAfterTest(startTestApi({ env: { TRUSTED_PROXIES: '1' } }));
    expect(await statusFrom(address, {}, other), 'another process').to.equal(429);
    expect(await statusFrom(newAddress(), RIGHT), 'the owner elsewhere').to.equal(200);
    const { user } = await createUser();
    expect(await statusFrom(address, { ...RIGHT, email: user.email }), 'another account here').to.equal(200);
    const { points } = (await counters()
      .where({ key: `login-email:${accountOf(email)}` })
      .first()) as { points: number };
    expect(points, 'refused tries do not count').to.equal(10);
    await counters()
      .update({ expire: Date.now() - 1 })
      .where({ key: pairKey(address) });
    expect(await statusFrom(address, RIGHT), 'after the window').to.equal(200);
  });

  it('Parallel guesses count, and those for unknown accounts too', async () => {
    for (const account of [email, `${randomUUID()}@example.com`]) {
      await countFailures(pairKey(address, account), 6);
      const statuses = await Promise.all(Array.from({ length: 10 }, () => statusFrom(address, { email: account })));
      expect(statuses.sort()).to.deep.equal([...Array<number>(4).fill(401), ...Array<number>(6).fill(429)]);
    }
  });

  it('Successful logins do not count, even in parallel', async () => {
    await countFailures(pairKey(address), 9);
    const statuses = await Promise.all(Array.from({ length: 12 }, () => statusFrom(address, RIGHT)));
    expect(statuses).to.deep.equal(Array<number>(12).fill(200));
    expect(await statusFrom(address, RIGHT)).to.equal(200);
  });

  it('Limit of a hundred per IPv6 /48 network, over all accounts', async () => {
    await countFailures(`login-address:${siteOf(address)}`, 99);
    expect(await statusFrom(address)).to.equal(401);
    const { user } = await createUser();
    const answer = await tryFrom(address.replace(/:[^:]+::1$/, ':2::1'), { ...RIGHT, email: user.email });
    expect(answer.status).to.equal(429);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, WINDOW_S);
    expect(await statusFrom(newAddress(), { email: user.email })).to.equal(401);
  });

  it('Limit of a hundred per account, over all addresses except those that logged in or registered before', async () => {
    expect(await statusFrom(address, RIGHT)).to.equal(200);
    await countFailures(`login-email:${accountOf(email)}`, 100);
    expect(await statusFrom(newAddress(), RIGHT)).to.equal(429);
    expect(await statusFrom(address, RIGHT)).to.equal(200);
    for (const endpoint of [register, registerInConsole]) {
      const [from, own] = [newAddress(), `${randomUUID()}@example.com`];
      const headers = { 'X-Forwarded-For': from, 'Sec-Fetch-Site': 'same-origin' };
      const body = { email: own, name: 'Own', ...RIGHT };
      expect((await send(api, endpoint, { body, headers })).status).to.equal(201);
      await countFailures(`login-email:${accountOf(own)}`, 100);
      expect(await statusFrom(from, { email: own, ...RIGHT })).to.equal(200);
    }
  });

  it('The counters contain no email address', async () => {
    await tryFrom(address);
    await tryFrom(address, RIGHT);
    expect(await counters().whereLike('key', `%${accountOf(email)}%`)).not.to.be.empty;
    expect(await counters().whereILike('key', `%${email}%`)).to.deep.equal([]);
  });

  it('Addresses that a client makes up are ignored', async () => {
    await countFailures(pairKey(address), 9);
    expect(await statusFrom(`${newAddress()}, ${address}`)).to.equal(401);
    expect(await statusFrom(`${newAddress()}, ${address}`)).to.equal(429);
    const direct = await stopAfterTest(startTestApi());
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push(await statusFrom(newAddress(), {}, direct));
    expect(statuses).to.deep.equal([...Array<number>(10).fill(401), 429]);
  });

  it('Guesses of the current password with a token count', async () => {
    await countFailures(pairKey(address), 9);
    const guess = async (current_password: string) => {
      const body = { current_password, new_password: 'a new password' };
      return (await send(api, 'changePassword', { token, headers: { 'X-Forwarded-For': address }, body })).status;
    };
    expect([await guess('wrong password'), await guess('wrong password'), await guess(PASSWORD)]).to.deep.equal([
      422, 429, 429,
    ]);
  });

  it('Forty logins at once do not block other requests', async () => {
    const logins = Promise.all(Array.from({ length: 40 }, () => statusFrom(newAddress())));
    expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
    expect(await logins).to.deep.equal(Array<number>(40).fill(401));
  });
});
