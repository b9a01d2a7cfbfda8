/** Local servers that speak the providers' wire formats, without models. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from '../../contract/values/constants.ts';
import { listen } from '../../runtime/process/listen.ts';
import { Refusal, type Dialect } from './dialect.ts';
import { createDirectives } from './directives.ts';
import { llmDialects } from './llm-dialects.ts';
import { loadSttDialects } from './stt-dialects.ts';

/** Path that returns the received calls as a JSON array, oldest first. */
export const CALLS_PATH = '/_calls';

const MAX_CALLS_KEPT = 1_000;

export interface RecordedCall {
  provider: ProviderName;
  path: string;
  at: string;
  /** Null if the call has no file. */
  file_bytes: number | null;
  fields: Record<string, string>;
}

export interface RunningStandIns {
  url: string;
  stop(): Promise<void>;
}

export async function startStandIns({ port = 0, host = '127.0.0.1' } = {}): Promise<RunningStandIns> {
  const dialects = [...llmDialects(), ...(await loadSttDialects())];
  const directiveOf = createDirectives();
  const calls: RecordedCall[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === CALLS_PATH) return send(response, 200, calls);
    const dialect = dialects.find(({ method, path: pattern }) => method === request.method && pattern.test(path));
    if (!dialect) return send(response, 404, { error: { message: `no such endpoint: ${request.method} ${path}` } });
    try {
      await answer(dialect, path, request, response);
    } catch (error) {
      const { status, message } = error instanceof Refusal ? error : new Refusal(400, 'the request could not be read');
      send(response, status, dialect.error(status, message));
    }
  }

  async function answer(dialect: Dialect, path: string, request: IncomingMessage, response: ServerResponse) {
    const received = await dialect.read(request, path);
    const { text, fields, fileBytes } = received;
    calls.push({ provider: dialect.provider, path, at: new Date().toISOString(), file_bytes: fileBytes, fields });
    if (calls.length > MAX_CALLS_KEPT) calls.shift();
    const directive = directiveOf(text);
    const { status = 200, delay_ms = 0, retry_after_s } = directive;
    if (delay_ms > 0) await sleep(delay_ms);
    if (status === 200) return send(response, 200, received.answer(directive));
    if (retry_after_s !== undefined) response.setHeader('Retry-After', retry_after_s);
    send(response, status, dialect.error(status, 'requested by a directive'));
  }

  const server = createServer((request, response) => void serve(request, response));
  await listen(server, { host, port });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const requestId = `req_${randomUUID()}`;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'x-request-id': requestId,
    'request-id': requestId,
  });
  response.end(JSON.stringify(body));
}
