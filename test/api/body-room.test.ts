import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { createAssistant as createEndpoint, listAssistants } from '../../contract/assistants.ts';
import { send } from '../support/api.ts';
import { createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const SETTINGS = { name: 'A', type: 'text', llm_provider: 'openai', system_prompt: 'x'.repeat(99_000) };

/** With one MiB for all, one user has 256 KiB. */
const SHARE = 256 * 1024;

describe('Room for the bodies of requests', () => {
  const api = useTestApi({ env: { MAX_BODY_MIB_IN_FLIGHT: '1' } });
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
    const call = request(`${api.url}/api/v1/assistants`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json', 'Content-Length': bytes },
    });
    open.push(call);
    call.on('error', () => undefined).write('{');
    await once(call, 'socket');
    // The API has read the request's head when it answers what came after it.
    await send(api, listAssistants, { token: as });
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

  it('is given back by who goes away while waiting, and by what is refused', async () => {
    const stalled = await stall(token, SHARE);
    (await stall(token, SHARE)).destroy();
    stalled.end('x'.repeat(SHARE - 1));
    const [response] = (await once(stalled, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).to.equal(400);
    expect((await create()).status).to.equal(201);
  });
});
