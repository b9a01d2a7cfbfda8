/** `/api/openapi.json` and the page that shows it, `/api/docs`; open to everyone. */
import type { Middleware } from 'koa';
import { ApiError } from '../http/api-error.ts';
import { listDocuments } from './documents.ts';

/** Only what this service serves itself; the renderer sets styles on its elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function docsRoutes(): Middleware {
  const documents = listDocuments();
  return async (ctx, next) => {
    const read = documents.get(ctx.path);
    if (!read) {
      await next();
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new ApiError('method_not_allowed', 'This path takes GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    }
    const { type, cacheControl, etag, bytes, gzipped } = await read();
    ctx.status = 200;
    ctx.set({ 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' });
    if (type.startsWith('text/html')) ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isZipped ? gzipped : bytes;
  };
}
