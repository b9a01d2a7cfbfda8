/**
 * A reverse proxy as the Caddyfile asks for: it takes the targets in turn, and tries another one where nobody listens,
 * for nothing was sent then. What was sent is never sent again.
 */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** `lb_try_duration` and `lb_try_interval` of the Caddyfile. */
const TRY_MS = 5_000;
const TRY_INTERVAL_MS = 250;

/** Below the 75 s after which the API closes what is idle; the API may wait 60 s for a result. */
const KEEP_ALIVE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 120_000;

export interface HttpProxy {
  url: string;
  /** Base URLs; they may change at any time. */
  targets: string[];
  /** While it is set, every request is answered with 503. */
  isAway: boolean;
  /** Returns how many requests were answered with a success, told to whoever asked or not. */
  successes(): number;
  stop(): Promise<void>;
}

export async function startHttpProxy(targets: string[]): Promise<HttpProxy> {
  const agent = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: ANSWER_TIMEOUT_MS });
  let successes = 0;
  let turn = 0;
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(incoming);
    if (proxy.isAway) return void response.writeHead(503).end();
    const answer = await forward(incoming, sent).catch(() => undefined);
    if (!answer) return void response.writeHead(502).end();
    if (answer.statusCode < 300) successes += 1;
    response.writeHead(answer.statusCode, withoutHopHeaders(answer.headers));
    await pipeline(answer.body, response);
  }

  async function forward({ method = 'GET', url = '/', headers, socket }: IncomingMessage, body: Buffer) {
    for (const deadline = Date.now() + TRY_MS; ; await sleep(TRY_INTERVAL_MS)) {
      for (let tries = 0; tries < proxy.targets.length; tries++) {
        const target = proxy.targets[turn++ % proxy.targets.length] ?? '';
        try {
          return await request(target + url, {
            method: method,
            headers: { ...withoutHopHeaders(headers), 'x-forwarded-for': socket.remoteAddress },
            body: body.length > 0 ? body : null,
            dispatcher: agent,
          });
        } catch (error) {
          if ((error as { code?: unknown }).code !== 'ECONNREFUSED') throw error;
        }
      }
      if (Date.now() > deadline) throw new Error('nobody listens');
    }
  }

  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: HttpProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    isAway: false,
    successes: () => successes,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await agent.destroy();
    },
  };
  return proxy;
}

/** What is said of one connection, and not of the request. RFC 9110, 7.6.1. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length', 'expect']);

function withoutHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}
