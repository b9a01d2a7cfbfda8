/** Stand-ins for the vendors on loopback: their wire formats, no models behind them. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { analyse } from './analyse.ts';
import { createDirectives } from './directive.ts';
import { LLM_DIALECTS } from './llm.ts';

export interface RunningVendors {
  url: string;
  stop(): Promise<void>;
}

export async function startVendors({ port = 0 }: { port?: number } = {}): Promise<RunningVendors> {
  const directiveOf = createDirectives();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const dialect = LLM_DIALECTS.find((candidate) => candidate.path.test(path));
    if (!dialect || request.method !== 'POST')
      return send(response, 404, { error: { message: `no such endpoint: ${path}` } });
    const call = dialect.read(JSON.parse(await readText(request)) as Record<string, unknown>, path);
    const { status = 200, delay_ms = 0, retry_after_s } = directiveOf(`${call.system}\n${call.user}`);
    if (delay_ms > 0) await sleep(delay_ms);
    if (status !== 200) {
      if (retry_after_s !== undefined) response.setHeader('Retry-After', retry_after_s);
      return send(response, status, dialect.error(status, 'asked for by a directive'));
    }
    const text = JSON.stringify(analyse(call.user));
    const inputTokens = estimateTokens(call.system + call.user);
    send(response, 200, dialect.reply(call, { text, inputTokens, outputTokens: estimateTokens(text) }));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => send(response, 400, { error: { message: 'the request could not be read' } }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** About four characters of English a token. */
const estimateTokens = (text: string) => Math.ceil(text.length / 4);

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
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
