/**
 * A reverse proxy that behaves like the Caddyfile's: it uses the targets in turn. If a target refuses the connection, nothing
 * was sent, and the proxy tries another one. A request that was sent is never repeated.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** `lb_try_duration` and `lb_try_interval` of the Caddyfile. */
const TRY_MS = 5_000;
const TRY_INTERVAL_MS = 250;

/** Less than the 75 s after which the API closes idle connections. */
const KEEP_ALIVE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 120_000;

export interface HttpProxy {
  url: string;
  /** Base URLs. They may change at any time. */
  targets: string[];
  /** While true, every request gets a 503. */
  isAway: boolean;
  /** Returns how many requests succeeded, even if the client did not receive the response. */
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
      if (Date.now() > deadline) throw new Error('no target accepts connections');
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

/** Headers that concern the connection and must not be forwarded: RFC 9110, section 7.6.1. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length', 'expect']);

function withoutHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}
