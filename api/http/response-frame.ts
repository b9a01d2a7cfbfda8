/** Adds a request ID and security headers to every response, formats errors, and logs one line per request. */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Log } from '../../runtime/telemetry/log.ts';
import { requestEnded } from '../../runtime/telemetry/events.ts';
import type { ApiError } from '../errors.ts';
import { respondEarly } from './early-response.ts';
import { headersOf, toApiError, toProblem } from './problems.ts';
import { cutWhenUnread } from './unread.ts';

/** A client's own request ID is kept if it is safe in a header and in a log line. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Path segments longer than this are redacted: they may be tokens. IDs are shorter. */
const MAX_LOGGED_CHARACTERS = 42;

const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** As nginx logs a request whose client disconnected before the response. Koa would say 404. */
const CLIENT_GONE = 499;

/** What the router and other middleware store about a request. */
interface RequestState {
  operation?: string;
  route?: string;
  workspaceId?: string;
  actorId?: string;
  sessionId?: string | undefined;
  answeredAt?: number;
  isUnlogged?: boolean;
}

/** @param unreadMs a client that takes no byte of its response for this time is disconnected. */
export function responseFrame(log: Log, unreadMs: number): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const given = ctx.get('X-Request-Id');
    const request_id = SAFE_REQUEST_ID.test(given) ? given : randomUUID();
    const state = ctx.state as RequestState;
    ctx.set({ ...SECURITY_HEADERS, 'X-Request-Id': request_id });
    ctx.res.once('close', () => {
      const { method, ip: address } = ctx;
      const status = ctx.headerSent ? ctx.status : CLIENT_GONE;
      const { operation, route, actorId: actor_id, answeredAt = performance.now() } = state;
      const durationMs = answeredAt - startedAt;
      requestEnded.publish({ operation, status, durationMs });
      if (state.isUnlogged) return;
      const sender = { address, workspace_id: state.workspaceId || undefined, actor_id };
      const request = { request_id, method, route, path: redactTokens(ctx.path), status };
      const duration_ms = Math.round(durationMs);
      log.info({ ...request, duration_ms, ...sender, session_id: state.sessionId }, 'request');
    });
    const beginResponse = cutWhenUnread(ctx, unreadMs);
    try {
      await next();
    } catch (error) {
      const apiError = toApiError(error);
      if (apiError !== error) log.error({ request_id, err: error }, 'request failed');
      state.sessionId ??= apiError.extras.session_id;
      respondWithProblem(ctx, apiError, request_id);
    }
    beginResponse();
  };
}

/** Returns the path with long segments cut: they may be tokens in the place of an ID. */
function redactTokens(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length > MAX_LOGGED_CHARACTERS ? `${part.slice(0, 4)}…` : part))
    .join('/');
}

function respondWithProblem(ctx: Context, error: ApiError, requestId: string): void {
  ctx.status = error.status;
  ctx.set(headersOf(error));
  ctx.type = 'application/problem+json';
  const text = JSON.stringify(toProblem(error, requestId));
  if (ctx.req.complete) ctx.body = text;
  else respondEarly(ctx, text);
}
