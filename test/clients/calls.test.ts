import {
  ApiError,
  createClient,
  getSession,
  isRetryable,
  NetworkError,
  type Client,
} from 'conversation-analysis-client';
import { retrySession, submitTextRequest, submitVoiceRequest } from 'conversation-analysis-client';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopAfterTest } from '../support/stop-after-test.ts';

type Answer = (response: ServerResponse) => void;

const problem =
  (status: number, code: string, headers = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers });
    response.end(
      JSON.stringify({ type: `urn:${code}`, title: code, status, code, detail: `${code}.`, request_id: 'r' }),
    );
  };
const session: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"session_id":"sess_1"}');
};
const page: Answer = (response) => void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad</h1>');
const cut: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{', () => response.destroy());
};
const hangUp: Answer = (response) => void response.destroy();
const nothing: Answer = () => undefined;

/** Starts a server that gives these answers in turn, then the last one, and a client of it. */
async function startAnswering(answers: Answer[], options: { maxRetries?: number; timeoutMs?: number } = {}) {
  const requests: { headers: IncomingHttpHeaders; at: number }[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests.push({ headers: request.headers, at: performance.now() });
      answers[Math.min(requests.length, answers.length) - 1]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await stopAfterTest(Promise.resolve({ stop }));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return { client: createClient({ baseUrl, ...options }), requests };
}

/** Returns an address at which no server listens. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('no error'),
    (error: unknown) => error as ApiError & NetworkError,
  );

const path = { id: 'sess_1' };
const body = { assistant_id: 'asst_1', conversation: [{ role: 'client', text: 'Hello?' }] };

describe('Calls of the TypeScript client', () => {
  const endings: [title: string, answer: Answer, error: object][] = [
    ['a problem of the API', problem(404, 'not_found'), { name: 'ApiError', code: 'not_found', isRetryable: false }],
    ['a failed session', problem(502, 'provider_failed'), { code: 'provider_failed', isRetryable: false }],
    ['a limit', problem(429, 'rate_limited', { 'Retry-After': '7' }), { retryAfter: 7, isRetryable: true }],
    ["a proxy's page", page, { name: 'ApiError', status: 502, code: 'unexpected_response', isRetryable: true }],
    ['a closed connection', hangUp, { name: 'NetworkError', reason: 'connection', isRetryable: true }],
    ['half a response', cut, { name: 'NetworkError', reason: 'connection', isRetryable: true }],
    ['no response', nothing, { name: 'NetworkError', reason: 'timeout', isRetryable: true }],
  ];
  for (const [title, answer, expected] of endings) {
    it(`reports ${title} as a typed error`, async () => {
      const { client } = await startAnswering([answer], {
        maxRetries: 0,
        timeoutMs: answer === nothing ? 300 : 60_000,
      });
      const error = await rejection(getSession({ client, path }));
      expect(error).to.be.instanceOf(Error);
      expect(error).to.include(expected);
      expect(error.message).to.match(/\w/);
      expect(isRetryable(error)).to.equal(error.isRetryable);
    });
  }

  it('reports a server that does not exist as a NetworkError with its address', async () => {
    const client = createClient({ baseUrl: `${await freeAddress()}/api`, maxRetries: 0 });
    const error = await rejection(getSession({ client, path }));
    expect(error).to.be.instanceOf(NetworkError);
    expect(error.message).to.contain('http://127.0.0.1:').and.contain('ECONNREFUSED');
  });

  it('repeats a submission with the same idempotency key until it succeeds, also with a file', async () => {
    const audio_file = new File(['audio'], 'call.mp3');
    const submissions = {
      'application/json': (client: Client) => submitTextRequest({ client, body }),
      'multipart/form-data': (client: Client) =>
        submitVoiceRequest({ client, body: { assistant_id: 'asst_1', audio_file } }),
    };
    for (const [type, submit] of Object.entries(submissions)) {
      const { client, requests } = await startAnswering([hangUp, page, session]);
      expect((await submit(client)).data.session_id).to.equal('sess_1');
      const keys = requests.map(({ headers }) => headers['idempotency-key']);
      expect(keys).to.have.length(3);
      expect(new Set(keys).size).to.equal(1);
      const types = requests.map(({ headers }) => headers['content-type']?.split(';')[0]);
      expect(new Set(types)).to.deep.equal(new Set([type]));
      expect(keys[0]).to.match(/^[\da-f-]{36}$/);
    }
  });

  it('adds a key exactly to the operations that accept one, and keeps a key that was given', async () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, { parameters?: { name?: string }[] }>>;
    };
    const accepting = Object.entries(paths).filter(([, { post }]) =>
      post?.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    const { client, requests } = await startAnswering([session]);
    for (const [url, { post }] of Object.entries(paths)) {
      if (!post) continue;
      await client.post({ url });
      const hasKey = requests.at(-1)?.headers['idempotency-key'] !== undefined;
      expect(hasKey, url).to.equal(accepting.some(([accepted]) => accepted === url));
    }
    await submitTextRequest({ client, body, headers: { 'Idempotency-Key': 'call-1', Prefer: 'respond-async' } });
    expect(requests.at(-1)?.headers).to.include({ 'idempotency-key': 'call-1', prefer: 'respond-async' });
  });

  it('waits as long as Retry-After says', async () => {
    const { client, requests } = await startAnswering([problem(429, 'rate_limited', { 'Retry-After': '1' }), session]);
    await getSession({ client, path });
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).to.be.at.least(990);
  });

  it('does not repeat what would act twice or fail again', async () => {
    const { client, requests } = await startAnswering([hangUp]);
    await rejection(retrySession({ client, path }));
    expect(requests).to.have.length(1);
    const refused = await startAnswering([problem(502, 'provider_failed')]);
    await rejection(submitTextRequest({ client: refused.client, body }));
    expect(refused.requests).to.have.length(1);
  });

  it('ends with the reason of an AbortSignal, during a request and between retries', async () => {
    for (const answer of [nothing, problem(503, 'unavailable', { 'Retry-After': '30' })]) {
      const { client, requests } = await startAnswering([answer]);
      const stop = new AbortController();
      const ended = rejection(getSession({ client, path, signal: stop.signal }));
      while (requests.length === 0) await new Promise(setImmediate);
      stop.abort(new Error('closed by the user'));
      expect((await ended).message).to.equal('closed by the user');
    }
  });

  it('returns the error instead with throwOnError: false', async () => {
    const { client } = await startAnswering([problem(404, 'not_found')]);
    const { error, response } = await getSession({ client, path, throwOnError: false });
    expect(error).to.be.instanceOf(ApiError).and.include({ code: 'not_found' });
    expect(response?.status).to.equal(404);
  });
});
