import { randomInt, randomUUID } from 'node:crypto';
import type { ApiError } from '../../../api/errors.ts';
import { createRequestLimits } from '../../../api/guard/request-limits.ts';
import { login, register } from '../../../contract/account/account.ts';
import { send, startTestApi } from '../../support/api.ts';
import { testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import type { UserModel } from '../../../db/models/user.ts';
import { createLogin, createUser } from '../../support/factories.ts';
import { createMember, createPerson, join, type Person } from '../../support/members.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { typeid } from 'typeid-js';
import { CONSOLE_COOKIE } from '../../support/sso-browser.ts';
import { recordedLog } from '../../support/log.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const BOUND = 40;
/** A tenth of BOUND. */
const PER_ADDRESS = 4;

const newGroup = () => (0x1000 + randomInt(0xe000)).toString(16);
const newAddress = () => `2001:${newGroup()}:${newGroup()}:${newGroup()}::1`;

describe('Rate limits', () => {
  const env = { RATE_LIMIT_PER_MINUTE: String(BOUND), TRUSTED_PROXIES: '1' };
  const apis = [useTestApi({ env }), useTestApi({ env })] as const;

  const read = (token: string, api = apis[0]) => send(api, 'getCurrentUser', { token });

  describe('per user', () => {
    it('are in the headers of every response, also of errors, and count down', async () => {
      const { token } = await createUser();
      const answers = [
        await read(token),
        await send(apis[0], 'listKeys', { token }),
        await send(apis[0], 'updateCurrentUser', { token, body: { nonsense: 1 } }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 422]);
      for (const [index, { headers }] of answers.entries()) {
        expect(headers.get('ratelimit-policy')).to.equal(`"default";q=${BOUND};w=60`);
        expect(headers.get('ratelimit')).to.match(new RegExp(`^"default";r=${BOUND - 1 - index};t=(60|5\\d)$`));
      }
    });

    it('hold exactly, over several processes', async () => {
      const { token } = await createUser();
      const answers = await Promise.all(
        Array.from({ length: BOUND + 20 }, (_, index) => read(token, apis[index % 2 === 0 ? 0 : 1])),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(BOUND);
      for (const { status, headers, problem } of answers.filter((answer) => answer.status !== 200)) {
        expect([status, problem.code]).to.deep.equal([429, 'rate_limited']);
        expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
        expect(headers.get('ratelimit')).to.match(/^"default";r=0;t=\d+$/);
      }
    });

    it('do not affect other users, and do not count invalid tokens', async () => {
      const [busy, other] = await Promise.all([createUser(), createUser()]);
      for (let i = 0; i < 2; i++) await Promise.all(Array.from({ length: BOUND / 2 }, () => read(busy.token)));
      expect((await read(busy.token)).status).to.equal(429);
      expect((await read(other.token)).headers.get('ratelimit')).to.contain(`r=${BOUND - 1};`);
      expect((await read('cas_nothing')).headers.get('ratelimit')).to.equal(null);
    });
  });

  it('Threat: are separate for people in the console and programs, and for each person', async () => {
    const { user, token, workspaceId } = await createUser();
    const colleague = await createMember(workspaceId, 'analyst');
    const cookieOf = async (of: UserModel) => {
      const secret = randomUUID();
      await createLogin(of, { secret });
      return { Cookie: `${CONSOLE_COOKIE}=${secret}` };
    };
    const [own, others] = [await cookieOf(user), await cookieOf(colleague.user)];
    const inConsole = (headers: Record<string, string>) =>
      send(apis[0], 'getCurrentUser', { headers, workspace: workspaceId }).then(({ status }) => status);
    for (let i = 0; i < BOUND; i++) await read(token);
    expect([(await read(token)).status, await inConsole(own)], 'programs at their limit').to.deep.equal([429, 200]);
    for (let i = 1; i < BOUND; i++) await inConsole(own);
    expect([await inConsole(own), await inConsole(others)], 'a person at the limit').to.deep.equal([429, 200]);
    const { user: busy, token: program } = await createUser();
    const clicks = await cookieOf(busy);
    const statuses = await Promise.all(
      Array.from({ length: BOUND + 1 }, () =>
        send(apis[0], 'getCurrentUser', { headers: clicks }).then(({ status }) => status),
      ),
    );
    expect(statuses).to.include(429);
    expect((await read(program)).status, 'programs of a busy person').to.equal(200);
  });

  it('Threat: are shared by all workspaces of an owner, also appointed ones; members do not pay with their own', async () => {
    const [person, other] = [await createPerson(), await createPerson()];
    const { id } = await WorkspaceModel.query().insert({ id: typeid('ws').toString(), name: 'Second' });
    await join(id, person, 'owner');
    await join(other.workspaceId, person, 'owner');
    const left = async ({ token }: Person, workspace: string) => {
      const { status, headers } = await send(apis[0], 'getCurrentUser', { token, workspace });
      return [status, Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])];
    };
    expect(await left(person, person.workspaceId)).to.deep.equal([200, BOUND - 1]);
    expect(await left(person, id), 'the same owner').to.deep.equal([200, BOUND - 2]);
    expect(await left(person, other.workspaceId), 'the workspace of an earlier owner').to.deep.equal([200, BOUND - 1]);
    await MembershipModel.query().delete().where({ user_id: other.user.id, workspace_id: other.workspaceId });
    expect(await left(person, other.workspaceId), 'the only owner now').to.deep.equal([200, BOUND - 3]);
  });

  it('start again with the next window', async () => {
    const limits = createRequestLimits(testDatabase().db, { name: randomUUID(), points: 2, windowS: 1 });
    const take = () =>
      limits.take('key').then(
        () => 'served',
        (error: unknown) => (error as ApiError).code,
      );
    expect([await take(), await take(), await take()]).to.deep.equal(['served', 'served', 'rate_limited']);
    await eventually(take, 'served');
  });

  it('apply to registrations and logins by address, before a password is checked', async () => {
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

  describe('per address', () => {
    const tryLogin = async (forwarded: string, api = apis[0]) => {
      const headers = { 'X-Forwarded-For': forwarded };
      return (await send(api, 'login', { headers, body: { email: 'x', password: 'y' } })).status;
    };
    const times = async (count: number, forwardedFor: (index: number) => string) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index++) statuses.push(await tryLogin(forwardedFor(index)));
      return statuses;
    };

    it('count an IPv6 /64 network as one address', async () => {
      const network = `2001:${newGroup()}:${newGroup()}:7`;
      const statuses = await times(PER_ADDRESS + 1, (index) => `${network}:${index}::${index}`);
      expect(statuses).to.deep.equal([...Array<number>(PER_ADDRESS).fill(422), 429]);
    });

    it('count an IPv6 /48 network as ten addresses', async () => {
      const site = `2001:${newGroup()}:${newGroup()}`;
      const statuses = await times(PER_ADDRESS * 10 + 1, (index) => `${site}:${index}::1`);
      expect(statuses).to.deep.equal([...Array<number>(PER_ADDRESS * 10).fill(422), 429]);
      expect(await tryLogin(newAddress())).to.equal(422);
    });

    it('do not depend on how the address is written', async () => {
      const ip = `198.51.${randomInt(256)}.${randomInt(256)}`;
      const forms = [ip, `::ffff:${ip}`, `${ip}:4711`, `[::ffff:${ip}]:80`];
      const statuses = await times(PER_ADDRESS + 1, (index) => forms[index % forms.length] ?? ip);
      expect(statuses).to.deep.equal([...Array<number>(PER_ADDRESS).fill(422), 429]);
    });

    it('use the connection if the forwarded address is invalid', async () => {
      const wrong = ['x'.repeat(12_000), 'unknown', '_hidden', '1.2.3.4.5', '[::1', 'fe80::1%'];
      const statuses = await times(wrong.length + PER_ADDRESS, (index) => wrong[index % wrong.length] ?? '');
      expect(statuses.slice(0, PER_ADDRESS)).to.deep.equal(Array<number>(PER_ADDRESS).fill(422));
      expect(new Set(statuses.slice(PER_ADDRESS))).to.deep.equal(new Set([429]));
    });
  });

  it('log one warning if a proxy forwards addresses and TRUSTED_PROXIES is not set', async () => {
    const { log, text } = recordedLog();
    const api = await stopAfterTest(startTestApi({ log }));
    for (const path of ['/healthz', '/healthz']) {
      await fetch(`${api.url}${path}`);
      expect(text()).to.not.contain('TRUSTED_PROXIES');
    }
    const headers = { 'X-Forwarded-For': newAddress() };
    for (let i = 0; i < 3; i++) await fetch(`${api.url}/healthz`, { headers });
    expect(text().match(/TRUSTED_PROXIES/g)).to.have.length(1);
  });

  it('count invalid credentials by address: then valid tokens get 429 there, and work elsewhere', async () => {
    const { token } = await createUser();
    const [address, other] = [newAddress(), newAddress()];
    const readFrom = async (from: string, as: string) =>
      (await send(apis[0], 'getCurrentUser', { token: as, headers: { 'X-Forwarded-For': from } })).status;
    for (let i = 0; i < BOUND; i++) expect(await readFrom(address, 'cas_nothing')).to.equal(401);
    const answer = await send(apis[0], 'getCurrentUser', { headers: { 'X-Forwarded-For': address } });
    expect(answer.problem.code).to.equal('rate_limited');
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    expect([await readFrom(address, token), await readFrom(other, token)]).to.deep.equal([429, 200]);
  });

  it('are off if the setting is 0', async () => {
    const api = await stopAfterTest(startTestApi({ env: { RATE_LIMIT_PER_MINUTE: '0' } }));
    const { token } = await createUser();
    expect((await read(token, api)).headers.get('ratelimit')).to.equal(null);
  });
});
