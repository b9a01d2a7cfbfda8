/** Gives every answer a request id, security headers, one form of error and one line in the log. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Context, Middleware, Next } from 'koa';
import type { Log } from '../../runtime/telemetry/log.ts';
import { requestEnded } from '../../runtime/telemetry/events.ts';
import { toApiError, toProblem } from './problems.ts';

/** A client's own id is kept if it is fit for a header and a log line. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Characters of the longest part of a path that is no secret. Every token and cookie has more, encoded or not, and an id has fewer. */
const MAX_LOGGED_CHARACTERS = 42;

const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export function responseFrame(log: Log): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const given = ctx.get('X-Request-Id');
    const requestId = SANE_REQUEST_ID.test(given) ? given : randomUUID();
    ctx.set({ ...SECURITY_HEADERS, 'X-Request-Id': requestId });
    ctx.res.once('close', () => {
      const { method, status, ip: address } = ctx;
      const path = maskTokens(ctx.path);
      const duration_ms = Math.round(performance.now() - started);
      const user_id = (ctx.state['userId'] as string) || undefined;
      requestEnded.tell({
        operation: ctx.state['operation'] as string | undefined,
        status,
        durationMs: performance.now() - started,
      });
      const session_id = (ctx.state['sessionId'] as string) || undefined;
      if (ctx.state['isUnlogged'] === true) return;
      const { route, actorId: actor_id } = ctx.state as { route?: string; actorId?: string };
      const who = { address, user_id, actor_id, session_id };
      log.info({ request_id: requestId, method, route, path, status, duration_ms, ...who }, 'request');
    });
    await answerErrors(ctx, next, requestId, log);
  };
}

/** Returns the path with its long parts cut: one may be a token that was taken for an id. */
function maskTokens(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length > MAX_LOGGED_CHARACTERS ? `${part.slice(0, 4)}…` : part))
    .join('/');
}

async function answerErrors(ctx: Context, next: Next, requestId: string, log: Log): Promise<void> {
  try {
    await next();
  } catch (error) {
    const apiError = toApiError(error);
    if (apiError !== error) log.error({ request_id: requestId, err: error }, 'request failed');
    ctx.state['sessionId'] ??= apiError.extras.session_id;
    await discardBody(ctx.req);
    ctx.status = apiError.status;
    if (apiError.extras.headers) ctx.set(apiError.extras.headers);
    ctx.type = 'application/problem+json';
    ctx.body = JSON.stringify(toProblem(apiError, requestId));
    if (!ctx.req.complete) ctx.set('Connection', 'close');
  }
}

/** Bytes and time that a refused body may still take. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const MAX_DISCARD_MS = 2_000;

/**
 * Reads the rest of a request and drops it. A client that is still sending reads no answer: closing now would reset its
 * connection instead.
 */
async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  let size = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_DISCARD_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_DISCARDED_BYTES) end();
    });
    request.once('end', end).once('close', end).once('error', end).resume();
  });
  request.pause();
}
