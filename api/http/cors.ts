/**
 * Lets pages of the listed origins call the API. Tokens travel in `Authorization`, so no answer ever allows a browser to
 * send credentials of its own.
 */
import type { Middleware } from 'koa';

const METHODS = 'GET, HEAD, POST, PATCH, DELETE';

const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'If-Range', 'Prefer', 'Range'],
  'X-Request-Id',
].join(', ');

const ANSWER_HEADERS = [
  ...['Content-Disposition', 'Content-Range', 'ETag', 'Idempotent-Replayed', 'Location', 'Preference-Applied'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
].join(', ');

const PREFLIGHT_KEPT_S = '600';

/** @param origins exact ones; `*` stands for all. */
export function cors(origins: readonly string[]): Middleware {
  const isForAll = origins.includes('*');
  return (ctx, next) => {
    if (origins.length === 0) return next();
    if (!isForAll) ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (origin === '' || !(isForAll || origins.includes(origin))) return next();
    ctx.set('Access-Control-Allow-Origin', isForAll ? '*' : origin);
    ctx.set('Access-Control-Expose-Headers', ANSWER_HEADERS);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next();
    ctx.set({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_KEPT_S,
    });
    ctx.status = 204;
  };
}
