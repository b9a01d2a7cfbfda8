import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AssistantModel as Assistants, type AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { testDatabase, useConnections } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createOwner, createSession, VOICE } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const MIB = 1024 * 1024;
/** More than the operating system buffers for a connection that nobody reads. */
const conversation = Array.from({ length: 90 }, () => ({ role: 'client', text: 'x'.repeat(100_000) }));
const UNREAD_MS = 1_000;

describe('Responses that a client does not read', () => {
  useConnections();
  /** A workspace may leave 32 MiB unread: three conversations are less, four more. */
  const api = useTestApi({
    adjust: ({ http }) => void Object.assign(http, { unreadBytes: 128 * MIB, unreadMs: 600_000 }),
  });
  const impatient = useTestApi({ adjust: ({ http }) => void (http.unreadMs = UNREAD_MS) });
  let token: string;
  let assistant: AssistantModel;
  let sockets: Socket[] = [];
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });
  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    sockets = [];
    testDatabase().db.removeAllListeners('query-response');
  });

  /** Sends requests over one connection, and reads nothing. */
  async function request(line: string, { url = api.url, count = 1 } = {}): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.pause();
    const head = `${line.replace(' ', ' /api/v1/')} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
    const body = line.startsWith('PUT')
      ? 'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"map":{}}'
      : '\r\n';
    socket.write(`${head}${body}`.repeat(count));
    return socket;
  }

  const statusNow = async (as = token) => (await send(api, 'getCurrentUser', { token: as })).status;

  /** Does not read the response, because it would take a third of a second of the processor. */
  async function statusOf(path: string): Promise<number> {
    const headers = { Authorization: `Bearer ${token}` };
    const { status, body } = await fetch(`${api.url}/api/v1/${path}`, { headers });
    await body?.cancel();
    return status;
  }
  const readStatus = (id: string) => statusOf(`sessions/${id}`);

  for (const [how, connections, count] of [
    ['over many connections', 12, 1],
    ['over one connection with pipelined requests', 2, 4],
  ] as const) {
    it(`Threat: are limited per workspace, ${how}: further large ones get 429 until the connections end`, async () => {
      const { id } = await createSession(assistant, { conversation });
      for (let index = 0; index < connections; index++) await request(`GET sessions/${id}`, { count });
      await eventually(() => readStatus(id), 429);
      expect(await statusNow(), 'small responses').to.equal(200);
      sockets.forEach((socket) => socket.destroy());
      await eventually(() => readStatus(id), 200);
    });
  }

  it('Threat: to changes are limited too: further requests get 429 before they change anything, other workspaces none', async () => {
    const voice = await createAssistant(assistant.workspace_id, VOICE);
    const { id } = await createSession(voice, { conversation, status: 'completed' });
    for (let index = 0; index < 4; index++) await request(`PUT sessions/${id}/roles`);
    await eventually(() => statusNow(), 429);
    const change = { token, params: { id: assistant.id }, body: { name: 'Changed' } };
    expect((await send(api, 'updateAssistant', change)).problem).to.include({ status: 429, code: 'rate_limited' });
    expect((await Assistants.query().findById(assistant.id))?.name).to.equal(assistant.name);
    expect(await statusNow((await createOwner()).token), 'another workspace').to.equal(200);
    sockets.forEach((socket) => socket.destroy());
    await eventually(() => statusNow(), 200);
  });

  it('Threat: to changes that wait are not sent beyond the limit: a 503 names the session', async () => {
    const { id } = await createSession(assistant, { conversation, status: 'analyzing' });
    const cancel = () => send(api, 'cancelSession', { token, params: { id } });
    await eventually(async () => {
      await request(`GET sessions/${id}`);
      return readStatus(id);
    }, 429);
    const { status, problem, headers } = await cancel();
    expect({ status, code: problem.code, id: problem['session_id'] }).to.deep.equal({
      status: 503,
      code: 'unavailable',
      id,
    });
    expect(headers.get('location')).to.contain(id);
    expect((await SessionModel.query().findById(id))?.status).to.equal('canceled');
  });

  it('Threat: end the connection if the client takes no byte for a while; slow readers and event streams go on', async () => {
    const { id } = await createSession(assistant, { conversation });
    const at = { url: impatient.url };
    const events = await request('GET events', at);
    events.resume();
    const slow = await request(`GET sessions/${id}`, at);
    let received = 0;
    slow.on('data', ({ length }: Buffer) => {
      received += length;
      slow.pause();
      setTimeout(() => slow.resume(), 1);
    });
    const drip = setInterval(() => slow.resume(), UNREAD_MS / 10);
    const silent = await request(`GET sessions/${id}`, at);
    await once(silent, 'readable');
    // Only a connection that is read reports its end. Four times the limit after the response began.
    setTimeout(() => silent.resume(), 4 * UNREAD_MS);
    let taken = 0;
    silent.on('data', ({ length }: Buffer) => (taken += length));
    // The listener above started it.
    silent.pause();
    await once(silent, 'close');
    expect(taken).to.be.lessThan(9_000_000);
    await eventually(() => received > 9_000_000, true);
    clearInterval(drip);
    expect(events.closed).to.equal(false);
  });

  describe('to exports', () => {
    beforeEach(async () => {
      for (let count = 0; count < 12; count++) await createSession(assistant, { conversation });
    });

    for (const query of ['format=jsonl&include=conversation', 'format=zip']) {
      it(`Threat: keep one row in memory, and run two at a time per workspace: ${query}`, async () => {
        const third = () => statusOf(`exports/sessions?${query}`);
        let rows = 0;
        testDatabase().db.on('query-response', (found: { conversation?: unknown }[]) => {
          rows += [found].flat().filter((row) => row?.conversation).length;
        });
        await once(await request(`GET exports/sessions?${query}`), 'readable');
        await once(await request(`GET exports/sessions?${query}`), 'readable');
        expect(await third()).to.equal(429);
        expect(await statusNow(), 'other requests').to.equal(200);
        await eventually(() => rows > 1, true);
        expect(rows, 'read for two exports that nobody reads').to.be.lessThan(9);
        sockets.forEach((socket) => socket.destroy());
        await eventually(third, 200);
      });
    }
  });
});
