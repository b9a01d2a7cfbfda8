/** Serves static documents: the API's description and the console's files. */
import type { Context } from 'koa';
import { refusal } from '../errors.ts';
import { etagOf } from './handle.ts';

export interface StaticDocument {
  type: string;
  cacheControl: string;
  headers?: Record<string, string>;
  /** The content in each available encoding. */
  encoded: { identity: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined };
}

/** Makes browsers check for a new version at each use. */
export const REVALIDATED = 'no-cache';
/** For paths that contain a version or a hash of the content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Responds to GET and HEAD with the document, or with 304. Throws `method_not_allowed` for other methods. */
export function respondWithDocument(ctx: Context, { type, cacheControl, headers, encoded }: StaticDocument): void {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw refusal('method_not_allowed', { methods: 'GET, HEAD' }, { headers: { Allow: 'GET, HEAD' } });
  }
  const etag = `W/${etagOf(encoded.identity)}`;
  ctx.status = 200;
  ctx.set({ ...headers, 'Cache-Control': cacheControl, ETag: etag });
  ctx.vary('Accept-Encoding');
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  const available = (['br', 'gzip', 'identity'] as const).filter((encoding) => encoded[encoding]);
  const encoding = (ctx.acceptsEncodings(...available) || 'identity') as (typeof available)[number];
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = encoded[encoding];
}
