import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { login } from '../../contract/account.ts';
import { createAssistant as createEndpoint, listAssistants } from '../../contract/assistants.ts';
import { send } from '../support/api.ts';
import { createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const SETTINGS = { name: 'A', type: 'text', llm_provider: 'openai', system_prompt: 'x'.repeat(99_000) };

/** With one MiB for all, one user has 256 KiB. */
const SHARE = 256 * 1024;

describe('Room for the bodies of requests', () => {
  const api = useTestApi({ env: { MAX_BODY_MIB_IN_FLIGHT: '1', TRUSTED_PROXIES: '1' } });
  let token: string;
  let open: ClientRequest[] = [];
  beforeEach(async () => {
    token = (await createUser()).token;
    open = [];
  });
  afterEach(() => open.forEach((call) => call.destroy()));

  const create = (as = token) => send(api, createEndpoint, { token: as, body: SETTINGS });

  /** Begins a request whose body does not come: it holds as much as it announces. */
  async function stall(as: string, bytes: number): Promise<ClientRequest> {
    const call = announce('/v1/assistants', { Authorization: `Bearer ${as}`, 'Content-Length': bytes });
    await once(call, 'socket');
    // The API has read the request's head when it answers what came after it.
    await send(api, listAssistants, { token: as });
    return call;
  }

  function announce(path: string, headers: Record<string, string | number>): ClientRequest {
    const call = request(`${api.url}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    open.push(call);
    call.on('error', () => undefined).write('{');
    return call;
  }

  it("is taken by a user's share at the most: their large ones wait, small ones and other users do not", async () => {
    const stalled = await stall(token, SHARE);
    let isCreated = false;
    const waiting = create().then(({ status }) => {
      isCreated = true;
      return status;
    });
    expect((await create((await createUser()).token)).status).to.equal(201);
    const small = { ...SETTINGS, system_prompt: 'x' };
    expect((await send(api, createEndpoint, { token, body: small })).status).to.equal(201);
    expect(isCreated).to.equal(false);
    stalled.destroy();
    expect(await waiting).to.equal(201);
  });

  it('is shared by the addresses of one IPv6 network, where nobody has logged in', async () => {
    const body = { email: 'a@example.com', password: 'x'.repeat(SHARE) };
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const stalled = announce('/v1/auth/login', { ...from('2001:db8:1:1::1'), 'Content-Length': SHARE });
    await once(stalled, 'socket');
    await send(api, listAssistants, { token });
    let isRefused = false;
    const waiting = send(api, login, { body, headers: from('2001:db8:1:1::2') }).then(({ status }) => {
      isRefused = true;
      return status;
    });
    expect((await send(api, login, { body, headers: from('2001:db8:1:2::1') })).status).to.equal(422);
    expect(isRefused).to.equal(false);
    stalled.destroy();
    expect(await waiting).to.equal(422);
  });

  it('is given back by who goes away while waiting, and by what is refused', async () => {
    const stalled = await stall(token, SHARE);
    (await stall(token, SHARE)).destroy();
    stalled.end('x'.repeat(SHARE - 1));
    const [response] = (await once(stalled, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).to.equal(400);
    expect((await create()).status).to.equal(201);
  });
});
