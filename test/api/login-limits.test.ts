import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { changePassword, login, register } from '../../contract/account.ts';
import { registerInConsole } from '../../contract/logins.ts';
import { send, startTestApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { createUser, PASSWORD } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const WINDOW_S = 15 * 60;

const newGroup = () => (0x1000 + randomInt(0xe000)).toString(16);

/** An address of its own for each guesser, as a trusted proxy would report it. */
const newAddress = () => `2001:${newGroup()}:${newGroup()}:${newGroup()}::1`;

/** The key under which such an address is counted. */
const networkOf = (address: string) => address.replace(/::1$/, '::/64');

interface Points {
  points: number;
}

describe('Failed logins', () => {
  const api = useTestApi({ env: { TRUSTED_PROXIES: '1' } });
  let email: string;
  let token: string;
  beforeEach(async () => {
    const created = await createUser();
    [email, token] = [created.user.email, created.token];
  });

  const tryFrom = (address: string, fields: object = {}, at = api) =>
    send(at, login, {
      body: { email, password: 'wrong password', ...fields },
      headers: { 'X-Forwarded-For': address },
    });

  const times = async <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    for (let index = 0; index < count; index++) results.push(await run(index));
    return results;
  };

  /** A hundred guesses, without waiting for a hundred hashes. */
  const countFailures = (key: string, points: number) =>
    testDatabase()
      .db.table('rate_limits')
      .insert({ key, points, expire: Date.now() + WINDOW_S * 1_000 })
      .onConflict('key')
      .merge();

  it('from one address for one account are ten; then even the right password waits', async () => {
    const address = newAddress();
    const failures = await times(10, () => tryFrom(address));
    expect(failures.map(({ status }) => status)).to.deep.equal(failures.map(() => 401));
    for (const password of ['wrong password', PASSWORD]) {
      const answer = await tryFrom(address, { password });
      expect(answer.problem).to.include({ status: 429, code: 'rate_limited' });
      expect(Number(answer.headers.get('retry-after'))).to.be.within(1, WINDOW_S);
    }
  });

  it('are counted for the account, however its address is spelled', async () => {
    const address = newAddress();
    await times(10, (index) => tryFrom(address, { email: index % 2 ? email.toUpperCase() : email }));
    expect((await tryFrom(address, { email: email.toUpperCase() })).status).to.equal(429);
  });

  it('lock nobody else out: not the owner elsewhere, not another account here', async () => {
    const address = newAddress();
    await times(11, () => tryFrom(address));
    expect((await tryFrom(newAddress(), { password: PASSWORD })).status).to.equal(200);
    const other = await createUser();
    expect((await tryFrom(address, { email: other.user.email, password: PASSWORD })).status).to.equal(200);
  });

  it('that are guessed at the same moment count all the same', async () => {
    const address = newAddress();
    const answers = await Promise.all(Array.from({ length: 25 }, () => tryFrom(address)));
    expect(answers.filter(({ status }) => status === 401)).to.have.length(10);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(15);
  });

  it('are counted for unknown addresses in the same way', async () => {
    const [address, nobody] = [newAddress(), `${randomUUID()}@example.com`];
    const answers = await times(11, () => tryFrom(address, { email: nobody }));
    expect(answers.map(({ status }) => status)).to.deep.equal([...Array<number>(10).fill(401), 429]);
  });

  it('are not counted when they are none: a client may log in as often as it likes', async () => {
    const address = newAddress();
    const answers = await times(15, () => tryFrom(address, { password: PASSWORD }));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
  });

  it('are not counted for right logins at the same moment either: forty succeed, and the one after them', async () => {
    const address = newAddress();
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryFrom(address, { password: PASSWORD })));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    expect((await tryFrom(address, { password: PASSWORD })).status).to.equal(200);
    await times(9, () => tryFrom(address));
    expect((await tryFrom(address, { password: PASSWORD })).status).to.equal(200);
  });

  it('that are refused count nowhere: the owner is locked out at no other address by them', async () => {
    const address = newAddress();
    await times(30, () => tryFrom(address));
    const { points } = await testDatabase()
      .db('rate_limits')
      .where({ key: `login-email:${email}` })
      .first<Points>();
    expect(points).to.equal(10);
  });

  it('from one IPv6 network are those of one address, and from one /48 ten times as many', async () => {
    const site = `2001:${newGroup()}:${newGroup()}`;
    const answers = await times(11, (index) => tryFrom(`${site}:1:${index}::${index}`));
    expect(answers.map(({ status }) => status)).to.deep.equal([...Array<number>(10).fill(401), 429]);
    await countFailures(`login-site:${site}::/48`, 1_000);
    const other = await createUser();
    expect((await tryFrom(`${site}:2::1`, { email: other.user.email })).status).to.equal(429);
    expect((await tryFrom(newAddress(), { email: other.user.email })).status).to.equal(401);
  });

  it('from one address for all accounts together are a hundred', async () => {
    const address = newAddress();
    await countFailures(`login-address:${networkOf(address)}`, 99);
    expect((await tryFrom(address)).status).to.equal(401);
    const other = await createUser();
    const answer = await tryFrom(address, { email: other.user.email, password: PASSWORD });
    expect(answer.status).to.equal(429);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, WINDOW_S);
  });

  it('for one account from all over are a hundred, without locking out an address that is known to it', async () => {
    const known = newAddress();
    expect((await tryFrom(known, { password: PASSWORD })).status).to.equal(200);
    await countFailures(`login-email:${email}`, 100);
    expect((await tryFrom(newAddress(), { password: PASSWORD })).status).to.equal(429);
    expect((await tryFrom(known, { password: PASSWORD })).status).to.equal(200);
  });

  it('from all over do not lock out the address that registered the account', async () => {
    for (const endpoint of [register, registerInConsole]) {
      const [address, own] = [newAddress(), `${randomUUID()}@example.com`];
      const body = { email: own, name: 'Own', password: PASSWORD };
      const headers = { 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin' };
      expect((await send(api, endpoint, { body, headers })).status).to.equal(201);
      await countFailures(`login-email:${own}`, 100);
      expect((await tryFrom(address, { email: own, password: PASSWORD })).status).to.equal(200);
    }
  });

  it('hold over several processes', async () => {
    const other = await startTestApi({ env: { TRUSTED_PROXIES: '1' } });
    try {
      const address = newAddress();
      await times(10, () => tryFrom(address));
      expect((await tryFrom(address, {}, other)).status).to.equal(429);
    } finally {
      await other.stop();
    }
  });

  it('are forgotten when their time is over', async () => {
    const address = newAddress();
    await times(11, () => tryFrom(address));
    await testDatabase()
      .db.table('rate_limits')
      .update({ expire: Date.now() - 1 })
      .whereLike('key', `%${networkOf(address)}`);
    expect((await tryFrom(address, { password: PASSWORD })).status).to.equal(200);
  });

  it('can not be shrugged off by an address that the client makes up', async () => {
    const address = newAddress();
    await times(10, () => tryFrom(`${newAddress()}, ${address}`));
    expect((await tryFrom(`${newAddress()}, ${address}`)).status).to.equal(429);
    const direct = await startTestApi();
    try {
      await times(10, () => tryFrom(newAddress(), {}, direct));
      expect((await tryFrom(newAddress(), {}, direct)).status).to.equal(429);
    } finally {
      await direct.stop();
    }
  });

  it('include guesses of the current password by who holds a token', async () => {
    const headers = { 'X-Forwarded-For': newAddress() };
    const guess = (current_password: string) =>
      send(api, changePassword, { token, headers, body: { current_password, new_password: 'a new password' } });
    const answers = await times(11, () => guess('wrong password'));
    expect(answers.map(({ status }) => status)).to.deep.equal([...Array<number>(10).fill(422), 429]);
    expect((await guess(PASSWORD)).status).to.equal(429);
  });

  it('do not keep the service from answering, forty at once', async () => {
    const logins = Promise.all(Array.from({ length: 40 }, () => tryFrom(newAddress())));
    expect((await fetch(`${api.url}/healthz`)).status).to.equal(200);
    expect((await logins).map(({ status }) => status)).to.deep.equal(Array<number>(40).fill(401));
  });
});
