/**
 * Lets pages of the listed origins call the API. Tokens travel in `Authorization`, so no answer ever allows a browser to
 * send credentials of its own.
 */
import koaCors from '@koa/cors';
import type { Middleware } from 'koa';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'If-Range', 'Prefer', 'Range'],
  'X-Request-Id',
].join(', ');

const ANSWER_HEADERS = [
  ...['Content-Disposition', 'Content-Range', 'ETag', 'Idempotent-Replayed', 'Location', 'Preference-Applied'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
].join(', ');

/** Returns what lets them; `origins` are exact ones, `*` stands for all. */
export function cors(origins: readonly string[]): Middleware {
  const isForAll = origins.includes('*');
  return koaCors({
    origin: (ctx) => {
      const origin = ctx.get('Origin');
      return isForAll ? '*' : origins.includes(origin) ? origin : '';
    },
    allowMethods: METHODS,
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: 600,
  });
}
