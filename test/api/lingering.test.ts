import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { ProblemSchema } from '../../contract/errors.ts';
import type { Problem } from '../../contract/errors.ts';
import { answerAndDiscard, createLingering } from '../../api/http/lingering.ts';
import type { LingeringBounds } from '../../api/http/lingering.ts';
import { startTestApi } from '../support/api.ts';
import { createUser } from '../support/factories.ts';
import { BOUNDARY, FORM_TYPE, form } from '../support/multipart.ts';
import { useTestApi } from '../support/set-up.ts';

/** More than the system keeps of a connection that nobody reads. */
const MANY_BYTES = 20_000_000;
const CHUNK = Buffer.alloc(1024 * 1024, 'a');

/** Returns a connection that reads nothing until it is told to. */
async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket.pause();
}

/** Resolves when the connection is closed, in order or by a reset. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** Sends until the bytes are out or the connection is cut, and returns how many were sent. */
async function sendMuch(socket: Socket, bytes: number): Promise<number> {
  let sent = 0;
  for (; sent < bytes && !socket.destroyed; sent += CHUNK.length) {
    const taken = Promise.withResolvers<void>();
    socket.write(CHUNK.subarray(0, bytes - sent), () => taken.resolve());
    await taken.promise;
  }
  return sent;
}

/** Reads until the server closes the connection. */
async function readAnswer(socket: Socket): Promise<{ status: number; head: string; problem: Problem }> {
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    problem: ProblemSchema.parse(JSON.parse(body)),
  };
}

const headOf = (target: string, headers: Record<string, string | number>, version = '1.1') =>
  `POST /api${target} HTTP/${version}\r\nHost: a\r\n` +
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

describe('A refusal of a body that is still being sent', () => {
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

  const refusals: [string, number, string, () => Record<string, string>, Uint8Array?][] = [
    ['JSON that is too large', 413, '/v1/requests/text', json],
    ['a caller without a token', 401, '/v1/requests/text', () => ({ 'Content-Type': 'application/json' })],
    ['an unknown path', 404, '/nothing', json],
    ['an unknown media type', 415, '/v1/requests/text', () => ({ ...json(), 'Content-Type': 'text/plain' })],
    [
      'a field before the file',
      422,
      '/v1/requests/voice',
      () => ({ ...json(), 'Content-Type': FORM_TYPE }),
      beginOfFile,
    ],
  ];
  for (const [what, status, target, headers, begin = Buffer.of()] of refusals) {
    it(`reaches a client that reads after all is sent: ${status} for ${what}`, async () => {
      const socket = await open(api.url);
      socket.write(`${headOf(target, { ...headers(), 'Content-Length': begin.length + MANY_BYTES })}\r\n`);
      socket.write(begin);
      expect(await sendMuch(socket, MANY_BYTES)).to.be.at.least(MANY_BYTES);
      const answer = await readAnswer(socket);
      expect(answer.status).to.equal(status);
      expect(answer.problem.status).to.equal(status);
      expect(answer.head).to.match(/^connection: close$/im);
    });
  }

  it('reaches one that sends 100 MB', async () => {
    const socket = await open(api.url);
    socket.write(`${headOf('/v1/requests/text', { ...json(), 'Content-Length': 100_000_000 })}\r\n`);
    await sendMuch(socket, 100_000_000);
    expect(await readAnswer(socket)).to.include({ status: 413 });
  });

  it('reaches one that speaks HTTP/1.0, as proxies do', async () => {
    const socket = await open(api.url);
    socket.write(`${headOf('/v1/requests/text', { ...json(), 'Content-Length': MANY_BYTES }, '1.0')}\r\n`);
    await sendMuch(socket, MANY_BYTES);
    expect(await readAnswer(socket)).to.include({ status: 413 });
  });

  it('reaches one whose headers are too large', async () => {
    const socket = await open(api.url);
    socket.write(`${headOf('/v1/requests/text', { 'X-A': 'a'.repeat(20_000), 'Content-Length': MANY_BYTES })}\r\n`);
    await sendMuch(socket, MANY_BYTES);
    expect(await readAnswer(socket)).to.include({ status: 431 });
  });

  it('comes before the rest of the body, and leaves the connection of a short one in use', async () => {
    const socket = await open(api.url);
    socket.write(`${headOf('/v1/requests/text', { 'Content-Type': 'application/json', 'Content-Length': 2 })}\r\n`);
    socket.resume();
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    expect(String(refusal)).to.match(/^HTTP\/1\.1 401 /);
    socket.write('{}GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [next] = (await once(socket, 'data')) as [Buffer];
    expect(String(next)).to.match(/^HTTP\/1\.1 200 /);
    await closeOf(socket);
  });

  it('comes instead of the question for a body that waits for one, where the headers say enough', async () => {
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

  it('holds no stop of the service up', async () => {
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

describe('What a refused request may still send', () => {
  const BOUNDS: LingeringBounds = { silentMs: 60_000, totalMs: 60_000, drainingMs: 60_000, bytes: Infinity };

  /** Returns a refused connection to a server with those bounds, whose body is announced without an end. */
  async function refused(bounds: Partial<LingeringBounds>): Promise<{ socket: Socket; close: () => void }> {
    const lingering = createLingering({ ...BOUNDS, ...bounds });
    const server = createServer((request, response) => {
      answerAndDiscard('no', request, lingering).pipe(response.setHeader('Content-Length', 2));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    socket.write(`${headOf('/', { 'Content-Length': Number.MAX_SAFE_INTEGER })}\r\n`);
    socket.resume();
    await once(socket, 'data');
    return { socket, close: () => void server.close() };
  }

  it('ends with its silence', async () => {
    const { socket, close } = await refused({ silentMs: 300 });
    await closeOf(socket);
    close();
  });

  it('ends after a time, also where something arrives again and again', async () => {
    const { socket, close } = await refused({ totalMs: 300 });
    const drip = setInterval(() => socket.write('a'), 20);
    await closeOf(socket);
    clearInterval(drip);
    close();
  });

  it('ends after a number of bytes', async () => {
    const { socket, close } = await refused({ bytes: 10_000_000 });
    expect(await sendMuch(socket, Infinity)).to.be.greaterThan(10_000_000);
    close();
  });
});
