/** Middleware that precedes the router: traces, workspaces, CORS, host names, and unknown paths and methods. */
import koaCors from '@koa/cors';
import type Router from '@koa/router';
import { context, propagation, SpanKind } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { API_BASE } from '../../contract/values/constants.ts';
import { isLoopback } from '../../runtime/network/loopback.ts';
import { inSpan } from '../../runtime/telemetry/tracing.ts';
import { refusal } from '../errors.ts';

/** Records one span per request, in the trace of the caller if the request names one. */
export const traceRequests: Middleware = (ctx, next) =>
  inSpan(
    ctx.method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': ctx.method } },
    async (span) => {
      await next();
      const { operation, sessionId } = ctx.state as { operation?: string; sessionId?: string };
      if (operation !== undefined) span.updateName(operation);
      span.setAttribute('http.response.status_code', ctx.status);
      if (sessionId !== undefined) span.setAttribute('cas.session_id', sessionId);
    },
    propagation.extract(context.active(), ctx.headers),
  );

const ADDRESSED = new RegExp(`^(/w/([^/]+))(${API_BASE}/.*)$`);

/** Serves `/w/{workspace_id}/api/…` as `/api/…`, keeps the ID for the router, and adds the prefix to a `Location` of this API. */
export const readWorkspace: Middleware = async (ctx, next) => {
  const [, prefix, workspaceId, path] = ADDRESSED.exec(ctx.path) ?? [];
  if (path === undefined) return void (await next());
  ctx.state['addressed'] = workspaceId;
  ctx.path = path;
  await next();
  const { location } = ctx.response.headers;
  if (typeof location === 'string' && location.startsWith('/')) ctx.set('Location', `${prefix}${location}`);
};

const CORS_REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, MCP-Protocol-Version, Mcp-Method, ' +
  'Mcp-Name, Prefer, Range, X-Request-Id, traceparent, tracestate, baggage, sentry-trace';
const CORS_RESPONSE_HEADERS =
  'Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Location, Preference-Applied, RateLimit, ' +
  'RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/**
 * Lets pages of these origins call the API; `*` stands for all. Tokens are sent in `Authorization`, so browsers are never
 * allowed to send their own credentials.
 */
export function cors(origins: readonly string[]): Middleware {
  return koaCors({
    origin: (ctx) => {
      if (origins.includes('*')) return '*';
      return origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : '';
    },
    allowMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    allowHeaders: CORS_REQUEST_HEADERS,
    exposeHeaders: CORS_RESPONSE_HEADERS,
    maxAge: 600,
  });
}

/**
 * Throws `misdirected_request` if the `Host` header is neither a loopback name nor in `hosts`; undefined allows every
 * host. This prevents DNS rebinding: a web page can point its own name at 127.0.0.1 and would then be same-origin with an
 * API on loopback, but it cannot choose the `Host` that the browser sends.
 */
export function allowHosts(hosts: readonly string[] | undefined): Middleware {
  return (ctx, next) => {
    const name = URL.parse(`http://${ctx.req.headers.host ?? ''}`)?.hostname ?? '';
    if (hosts === undefined || isLoopback(name) || hosts.includes(name)) return next();
    throw refusal('misdirected_request');
  };
}

/**
 * Follows the routes. Throws `not_found` for an unknown path, and `method_not_allowed` with the allowed methods for a known one.
 */
export function refuseOtherMethods(router: Router): Middleware {
  return (ctx) => {
    const layers = router.match(ctx.path, ctx.method).path;
    const allowed = new Set(layers.flatMap(({ methods }) => methods));
    if (allowed.size === 0) throw refusal('no_resource:path');
    const methods = [...allowed].sort().join(', ');
    throw refusal('method_not_allowed', { methods }, { headers: { Allow: methods } });
  };
}
