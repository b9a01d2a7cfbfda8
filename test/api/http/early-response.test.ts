import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ProblemSchema, type Problem } from '../../../contract/errors/problem.ts';
import { startTestApi } from '../../support/api.ts';
import { createUser } from '../../support/factories.ts';
import { BOUNDARY, FORM_TYPE, form } from '../../support/multipart.ts';
import { useTestApi } from '../../support/set-up.ts';

/** More bytes than the operating system buffers for an unread connection. */
const MANY_BYTES = 20_000_000;
const CHUNK = Buffer.alloc(1024 * 1024, 'a');

/** Returns a paused connection, which reads nothing until `resume`. */
async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket.pause();
}

/** Resolves when the connection is closed or reset. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** Sends bytes until all are sent or the connection is cut. Returns the number of sent bytes. */
async function sendMuch(socket: Socket, bytes: number): Promise<number> {
  let sent = 0;
  for (; sent < bytes && !socket.destroyed; sent += CHUNK.length) {
    const taken = Promise.withResolvers<void>();
    socket.write(CHUNK.subarray(0, bytes - sent), () => taken.resolve());
    await taken.promise;
  }
  return sent;
}

/** Reads until the server closes or resets the connection. */
async function readProblem(socket: Socket): Promise<{ status: number; head: string; problem: Problem }> {
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  const closed = closeOf(socket);
  socket.resume();
  await closed;
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, problem: ProblemSchema.parse(JSON.parse(body)) };
}

const headOf = (target: string, headers: Record<string, string | number>, version = '1.1') =>
  `POST /api${target} HTTP/${version}\r\nHost: localhost\r\n` +
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

describe('A refusal while the body is still being sent', () => {
  const api = useTestApi();
  let token: string;
  before(async () => {
    ({ token } = await createUser());
  });

  const json = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });
  const beginOfFile = form([
    { name: 'assistant_id', value: 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7' },
    { name: 'audio_file', value: '', filename: 'a.mp3' },
  ]).subarray(0, -`\r\n--${BOUNDARY}--\r\n`.length);

  it('reaches a client that reads while it sends', async () => {
    const multipart = { ...json(), 'Content-Type': FORM_TYPE };
    for (const [what, status, target, headers, begin = Buffer.of()] of [
      ['JSON that is too large', 413, '/v1/requests/text', json()],
      ['a caller without a token', 401, '/v1/requests/text', { 'Content-Type': 'application/json' }],
      ['an unknown path', 404, '/nothing', json()],
      ['an unknown media type', 415, '/v1/requests/text', { ...json(), 'Content-Type': 'text/plain' }],
      ['a field before the file', 422, '/v1/requests/voice', multipart, beginOfFile],
    ] as const) {
      const socket = await open(api.url);
      socket.write(`${headOf(target, { ...headers, 'Content-Length': begin.length + MANY_BYTES })}\r\n`);
      socket.write(begin);
      void sendMuch(socket, MANY_BYTES);
      const answer = await readProblem(socket);
      expect([answer.status, answer.problem.status], what).to.deep.equal([status, status]);
      expect(answer.head, what).to.match(/^connection: close$/im);
    }
  });

  it('reaches clients that read late, use HTTP/1.0 like proxies, or send headers that are too large', async () => {
    const late = await open(api.url);
    late.write(`${headOf('/nothing', { 'Content-Length': 500_000 })}\r\n`);
    await sendMuch(late, 500_000);
    expect(await readProblem(late)).to.include({ status: 404 });
    const proxy = await open(api.url);
    proxy.write(`${headOf('/v1/requests/text', { ...json(), 'Content-Length': MANY_BYTES }, '1.0')}\r\n`);
    void sendMuch(proxy, MANY_BYTES);
    expect(await readProblem(proxy)).to.include({ status: 413 });
    const large = await open(api.url);
    large.write(`${headOf('/v1/requests/text', { 'X-A': 'a'.repeat(20_000), 'Content-Length': MANY_BYTES })}\r\n`);
    await sendMuch(large, MANY_BYTES);
    expect(await readProblem(large)).to.include({ status: 431 });
  });

  it('is sent before the rest of the body arrives; the connection stays usable if the body is short', async () => {
    const socket = await open(api.url);
    socket.write(`${headOf('/v1/requests/text', { 'Content-Type': 'application/json', 'Content-Length': 2 })}\r\n`);
    socket.resume();
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    expect(String(refusal)).to.match(/^HTTP\/1\.1 401 /);
    socket.write('{}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    const [next] = (await once(socket, 'data')) as [Buffer];
    expect(String(next)).to.match(/^HTTP\/1\.1 200 /);
    await closeOf(socket);
  });

  it('replaces 100-continue if the request can be refused by its headers', async () => {
    const ask = async (headers: Record<string, string | number>, target = '/v1/requests/text') => {
      const socket = await open(api.url);
      socket.write(`${headOf(target, { ...headers, Expect: '100-continue' })}\r\n`);
      socket.resume();
      const [first] = (await once(socket, 'data')) as [Buffer];
      return { socket, status: String(first).slice(9, 12) };
    };
    const refused = await Promise.all([
      ask({ ...json(), 'Content-Length': MANY_BYTES }),
      ask({ 'Content-Type': 'application/json', 'Content-Length': 2 }),
      ask({ ...json(), 'Content-Length': 2 }, '/nothing'),
    ]);
    expect(refused.map(({ status }) => status)).to.deep.equal(['413', '401', '404']);
    const taken = await ask({ ...json(), 'Content-Length': 2 });
    expect(taken.status).to.equal('100');
    taken.socket.write('{}');
    const [answer] = (await once(taken.socket, 'data')) as [Buffer];
    expect(String(answer)).to.match(/^HTTP\/1\.1 422 /);
    for (const { socket } of [...refused, taken]) socket.destroy();
  });

  it('does not delay a stop', async () => {
    const stopping = await startTestApi({ env: { SHUTDOWN_GRACE_S: '20' } });
    const socket = await open(stopping.url);
    socket.write(`${headOf('/nothing', { 'Content-Length': MANY_BYTES })}\r\n`);
    socket.resume();
    await once(socket, 'data');
    const drip = setInterval(() => socket.write('a'), 50);
    const started = performance.now();
    await stopping.stop();
    clearInterval(drip);
    expect(performance.now() - started).to.be.lessThan(10_000);
  });
});

describe('A connection after a refusal', () => {
  const api = useTestApi();

  /** Returns a refused connection on which the client sends an endless body. */
  async function refused(): Promise<Socket> {
    const socket = await open(api.url);
    socket.write(`${headOf('/nothing', { 'Content-Length': Number.MAX_SAFE_INTEGER })}\r\n`);
    socket.resume();
    await once(socket, 'data');
    return socket;
  }

  it('is cut after a second, even if bytes keep arriving', async () => {
    const socket = await refused();
    const drip = setInterval(() => socket.write('a'), 20);
    await closeOf(socket);
    clearInterval(drip);
  });

  it('accepts no more than about a megabyte', async () => {
    const socket = await refused();
    // More bytes only fill the buffers of the operating system.
    expect(await sendMuch(socket, Infinity)).to.be.lessThan(50_000_000);
  });
});
