/** Serves documents from memory: the API's description and the console's files. */
import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { ApiError } from '../errors.ts';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

export interface StoredDocument {
  type: string;
  cacheControl: string;
  etag: string;
  /** The same document in each encoding that there is; `identity` always is. */
  encoded: Partial<Record<ContentEncoding, Buffer>> & { identity: Buffer };
  headers: Record<string, string>;
}

export type ReadDocument = () => Promise<StoredDocument>;

export const CHECKED_EACH_TIME = 'no-cache';
/** For paths that hold a version or a hash of the content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** Returns a reader that makes the document at its first call and keeps it. */
export function storeOnce(
  make: () => Promise<StoredDocument['encoded']>,
  facts: { type: string; cacheControl: string; headers?: Record<string, string> },
): ReadDocument {
  let document: Promise<StoredDocument> | undefined;
  return () => (document ??= store());

  async function store(): Promise<StoredDocument> {
    const encoded = await make();
    const etag = `W/"${createHash('sha256').update(encoded.identity).digest('base64url').slice(0, 22)}"`;
    return { headers: {}, ...facts, etag, encoded };
  }
}

/** Answers GET and HEAD of the paths that `find` knows; the others go on to the next middleware. */
export function serveDocuments(find: (path: string) => ReadDocument | undefined): Middleware {
  return async (ctx, next) => {
    const read = find(ctx.path);
    if (!read) {
      await next();
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new ApiError('method_not_allowed', 'This path takes GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    }
    answer(ctx, await read());
  };
}

function answer(ctx: Context, { type, cacheControl, etag, encoded, headers }: StoredDocument): void {
  ctx.status = 200;
  ctx.set({ ...headers, 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' });
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  const available = (['br', 'gzip', 'identity'] as const).filter((encoding) => encoded[encoding]);
  const chosen = ctx.acceptsEncodings(...available) as ContentEncoding | false;
  if (chosen === 'br' || chosen === 'gzip') ctx.set('Content-Encoding', chosen);
  ctx.body = (chosen && encoded[chosen]) || encoded.identity;
}
