import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import type { ApiError } from '../../api/errors.ts';
import { createRequestLimits } from '../../api/http/request-limits.ts';
import { getCurrentUser, login, register, updateCurrentUser } from '../../contract/account.ts';
import { listKeys } from '../../contract/keys.ts';
import { send, startTestApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { recordedLog } from '../support/log.ts';

const BOUND = 130;
const PER_ADDRESS = 5;

const newGroup = () => (0x1000 + randomInt(0xe000)).toString(16);
const newAddress = () => `2001:${newGroup()}:${newGroup()}:${newGroup()}::1`;

describe('Rate limits', () => {
  let apis: [RunningApi, RunningApi];
  before(async function () {
    this.timeout(0);
    const env = {
      ...{ RATE_LIMIT_PER_MINUTE: String(BOUND), RATE_LIMIT_PER_MINUTE_PER_ADDRESS: String(PER_ADDRESS) },
      TRUSTED_PROXIES: '1',
    };
    apis = await Promise.all([startTestApi({ env }), startTestApi({ env })]);
  });
  after(() => Promise.all(apis.map((api) => api.stop())));

  const read = (token: string, api = apis[0]) => send(api, getCurrentUser, { token });

  describe('of one user', () => {
    it('are told on every authenticated answer, errors included, and count down', async () => {
      const { token } = await createUser();
      const answers = [
        await read(token),
        await send(apis[0], listKeys, { token }),
        await send(apis[0], updateCurrentUser, { token, body: { nonsense: 1 } }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 422]);
      for (const [index, { headers }] of answers.entries()) {
        expect(headers.get('ratelimit-policy')).to.equal(`"default";q=${BOUND};w=60`);
        expect(headers.get('ratelimit')).to.match(new RegExp(`^"default";r=${BOUND - 1 - index};t=(60|5\\d)$`));
      }
    });

    it('serve the bound and not one request more, with both tokens of several processes at once', async () => {
      const { token } = await createUser();
      const answers = await Promise.all(Array.from({ length: BOUND * 2 }, (_, index) => read(token, apis[index % 2])));
      const served = answers.filter(({ status }) => status === 200).length;
      // The tolerance: a process may hold back less than a 60th of the bound.
      expect(served).to.be.within(BOUND - Math.floor(BOUND / 60), BOUND);
      for (const { status, headers, problem } of answers.filter((answer) => answer.status !== 200)) {
        expect([status, problem.code]).to.deep.equal([429, 'rate_limited']);
        expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
        expect(headers.get('ratelimit')).to.match(/^"default";r=0;t=\d+$/);
      }
    });

    it('serve the whole bound where one process gets all requests', async () => {
      const { token } = await createUser();
      const statuses: number[] = [];
      for (let i = 0; i < BOUND + 1; i++) statuses.push((await read(token)).status);
      expect(statuses.filter((status) => status === 200)).to.have.length(BOUND);
      expect(statuses.at(-1)).to.equal(429);
    });

    it('leave other users alone, and do not count what has no valid token', async () => {
      const [busy, other] = await Promise.all([createUser(), createUser()]);
      await Promise.all(Array.from({ length: BOUND + 5 }, () => read(busy.token)));
      expect((await read(busy.token)).status).to.equal(429);
      expect((await read(other.token)).headers.get('ratelimit')).to.contain(`r=${BOUND - 1};`);
      expect((await read('cas_nothing')).headers.get('ratelimit')).to.equal(null);
    });

    it('cost one write for a block of requests', async () => {
      const { user, token } = await createUser();
      for (let i = 0; i < 5; i++) await read(token);
      const { points } = await testDatabase()
        .db('rate_limits')
        .where({ key: `user:${user.id}` })
        .first<{ points: number }>();
      expect(points).to.equal(6); // three blocks of two
    });
  });

  it('begin anew with the next window', async () => {
    const limits = createRequestLimits(testDatabase().db, { name: randomUUID(), points: 2, windowS: 1 });
    const take = () =>
      limits.take('key').then(
        () => 'served',
        (error: unknown) => (error as ApiError).code,
      );
    expect([await take(), await take(), await take()]).to.deep.equal(['served', 'served', 'rate_limited']);
    await eventually(take, (outcome) => outcome === 'served');
  });

  it('bound registrations and logins by address, before a password is looked at', async () => {
    const address = newAddress();
    const tryOnce = (endpoint: typeof login | typeof register, from = address) =>
      send(apis[0], endpoint, { headers: { 'X-Forwarded-For': from }, body: { email: 'x', password: 'y' } });
    for (let i = 0; i < PER_ADDRESS; i++) expect((await tryOnce(i % 2 ? login : register)).status).to.equal(422);
    for (const endpoint of [login, register]) {
      const { status, headers } = await tryOnce(endpoint);
      expect(status).to.equal(429);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    }
    expect((await tryOnce(login, newAddress())).status).to.equal(422);
  });

  describe('of one address', () => {
    const tryLogin = async (forwarded: string, api = apis[0]) => {
      const headers = { 'X-Forwarded-For': forwarded };
      return (await send(api, login, { headers, body: { email: 'x', password: 'y' } })).status;
    };
    const times = async (count: number, forwardedFor: (index: number) => string) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index++) statuses.push(await tryLogin(forwardedFor(index)));
      return statuses;
    };

    it('hold for its whole IPv6 network', async () => {
      const network = `2001:${newGroup()}:${newGroup()}:7`;
      const statuses = await times(PER_ADDRESS + 1, (index) => `${network}:${index}::${index}`);
      expect(statuses).to.deep.equal([...Array<number>(PER_ADDRESS).fill(422), 429]);
    });

    it('hold for all networks of its /48 at ten times the bound', async () => {
      const site = `2001:${newGroup()}:${newGroup()}`;
      const statuses = await times(PER_ADDRESS * 10 + 1, (index) => `${site}:${index}::1`);
      expect(statuses).to.deep.equal([...Array<number>(PER_ADDRESS * 10).fill(422), 429]);
      expect(await tryLogin(newAddress())).to.equal(422);
    });

    it('are the same however the address is written', async () => {
      const ip = `198.51.${randomInt(256)}.${randomInt(256)}`;
      const forms = [ip, `::ffff:${ip}`, `${ip}:4711`, `[::ffff:${ip}]:80`];
      const statuses = await times(PER_ADDRESS + 1, (index) => forms[index % forms.length] ?? ip);
      expect(statuses).to.deep.equal([...Array<number>(PER_ADDRESS).fill(422), 429]);
    });

    it('hold for the connection where what the proxy forwards is no address', async () => {
      const wrong = ['x'.repeat(12_000), 'unknown', '_hidden', '1.2.3.4.5', '[::1', 'fe80::1%'];
      const statuses = await times(wrong.length + PER_ADDRESS, (index) => wrong[index % wrong.length] ?? '');
      expect(statuses.slice(0, PER_ADDRESS)).to.deep.equal(Array<number>(PER_ADDRESS).fill(422));
      expect(new Set(statuses.slice(PER_ADDRESS))).to.deep.equal(new Set([429]));
    });
  });

  it('warn once that a proxy forwards addresses which nobody counts', async () => {
    const { log, text } = recordedLog();
    const api = await startTestApi({ log });
    try {
      for (const path of ['/healthz', '/healthz']) {
        await fetch(`${api.url}${path}`);
        expect(text()).to.not.contain('TRUSTED_PROXIES');
      }
      const headers = { 'X-Forwarded-For': newAddress() };
      for (let i = 0; i < 3; i++) await fetch(`${api.url}/healthz`, { headers });
      expect(text().match(/TRUSTED_PROXIES/g)).to.have.length(1);
    } finally {
      await api.stop();
    }
  });

  it('are off where the setting is 0', async () => {
    const api = await startTestApi({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
    try {
      const { token } = await createUser();
      expect((await read(token, api)).headers.get('ratelimit')).to.equal(null);
    } finally {
      await api.stop();
    }
  });
});
