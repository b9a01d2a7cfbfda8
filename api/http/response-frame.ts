/** Gives every answer a request id, security headers, one form of error and one line in the log. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Context, Middleware, Next } from 'koa';
import { requestEnded } from '../../runtime/telemetry/events.ts';
import type { ApiDeps } from '../deps.ts';
import { answerAndDiscard } from './lingering.ts';
import type { Lingering } from './lingering.ts';
import { toApiError, toProblem } from './problems.ts';

/** A client's own id is kept if it is fit for a header and a log line. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Characters of the longest part of a path that is no secret. Every token and cookie has more, encoded or not, and an id has fewer. */
const MAX_LOGGED_CHARACTERS = 42;

/** Bytes of a body that its client has sent, as a rule, before it could hear of a refusal. */
const SHORT_BODY_BYTES = 64 * 1024;

const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

type FrameDeps = Pick<ApiDeps, 'log' | 'lingering'>;

export function responseFrame(deps: FrameDeps): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const given = ctx.get('X-Request-Id');
    const requestId = SANE_REQUEST_ID.test(given) ? given : randomUUID();
    ctx.set({ ...SECURITY_HEADERS, 'X-Request-Id': requestId });
    ctx.res.once('close', () => {
      const { method, status, ip: address } = ctx;
      const path = maskTokens(ctx.path);
      const durationMs = ((ctx.state['answeredAt'] as number | undefined) ?? performance.now()) - started;
      const duration_ms = Math.round(durationMs);
      const user_id = (ctx.state['userId'] as string) || undefined;
      requestEnded.tell({
        operation: ctx.state['operation'] as string | undefined,
        status,
        durationMs,
      });
      const session_id = (ctx.state['sessionId'] as string) || undefined;
      if (ctx.state['isUnlogged'] === true) return;
      const { route, actorId: actor_id } = ctx.state as { route?: string; actorId?: string };
      const who = { address, user_id, actor_id, session_id };
      deps.log.info({ request_id: requestId, method, route, path, status, duration_ms, ...who }, 'request');
    });
    await answerErrors(ctx, next, requestId, deps);
  };
}

/** Returns the path with its long parts cut: one may be a token that was taken for an id. */
function maskTokens(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length > MAX_LOGGED_CHARACTERS ? `${part.slice(0, 4)}…` : part))
    .join('/');
}

async function answerErrors(ctx: Context, next: Next, requestId: string, { log, lingering }: FrameDeps): Promise<void> {
  try {
    await next();
  } catch (error) {
    const apiError = toApiError(error);
    if (apiError !== error) log.error({ request_id: requestId, err: error }, 'request failed');
    ctx.state['sessionId'] ??= apiError.extras.session_id;
    ctx.status = apiError.status;
    if (apiError.extras.headers) ctx.set(apiError.extras.headers);
    ctx.type = 'application/problem+json';
    const answer = JSON.stringify(toProblem(apiError, requestId));
    if (ctx.req.complete) ctx.body = answer;
    else answerAhead(ctx, answer, lingering);
  }
}

/** Answers while the body is still being sent, and reads that to its end. */
function answerAhead(ctx: Context, answer: string, lingering: Lingering): void {
  ctx.body = answerAndDiscard(answer, ctx.req, lingering);
  // The time until the connection is free says nothing of the service.
  ctx.state['answeredAt'] = performance.now();
  ctx.length = Buffer.byteLength(answer);
  // A client that is told so may stop sending. A short body is on its way already, and its connection stays of use; one that
  // waits to be asked for may never come.
  const isOnItsWay = ctx.get('Expect') === '' && (ctx.request.length ?? Infinity) <= SHORT_BODY_BYTES;
  if (!isOnItsWay) ctx.set('Connection', 'close');
}
