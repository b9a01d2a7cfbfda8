/** Reads JSON bodies. Everything but JSON in UTF-8 within the limits of size and depth is refused with a 4xx. */
import { parse as parseContentType } from 'content-type';
import type { Context, Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { isDeeperThan, MAX_JSON_DEPTH } from '../../runtime/postgres-safe.ts';
import { ApiError } from '../errors.ts';

/** Applies to endpoints that declare no `bodyLimit`. */
const DEFAULT_LIMIT_BYTES = 1024 * 1024;

/** The server's own request timeout allows for recordings. */
const MAX_BODY_MS = 300_000;

/** koa-body's JSON reader replaces invalid UTF-8 silently. Its text reader returns every byte in this encoding. */
const BYTES = 'latin1';

const readers = new Map<number, Middleware>();

/** Returns the middleware of koa-body that reads a body of at most `limit` bytes. */
function readerOf(limit: number): Middleware {
  const reader =
    readers.get(limit) ??
    koaBody({
      textTypes: ['application/json', 'application/*+json'],
      textLimit: limit,
      encoding: BYTES,
      json: false,
      urlencoded: false,
      parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PATCH, HttpMethodEnum.PUT, HttpMethodEnum.DELETE],
    });
  readers.set(limit, reader);
  return reader;
}

/**
 * Returns the JSON of a request's body.
 * @param options.count receives the bytes of each chunk; it may throw to refuse the rest.
 */
export async function readJson(
  ctx: Context,
  { limit = DEFAULT_LIMIT_BYTES, count }: { limit?: number | undefined; count?: ((bytes: number) => void) | undefined },
): Promise<unknown> {
  requireJson(ctx);
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(limit);
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const timeout = () => reject(new ApiError('request_timeout', 'The body did not arrive in time.'));
  const timer = setTimeout(timeout, MAX_BODY_MS);
  const countOrRefuse = ({ length }: Buffer) => {
    try {
      count?.(length);
    } catch (error) {
      reject(error);
    }
  };
  try {
    const reading = (readerOf(limit)(ctx as never, () => Promise.resolve()) as Promise<unknown>).catch(
      (error: unknown) => {
        const isTooLarge = (error as { type?: string }).type === 'entity.too.large';
        throw isTooLarge ? tooLarge(limit) : new ApiError('malformed_request', 'The body did not arrive completely.');
      },
    );
    ctx.req.on('data', countOrRefuse);
    await Promise.race([reading, refused]);
  } finally {
    clearTimeout(timer);
    // The rest of a refused body is neither stored nor counted.
    ctx.req.removeAllListeners('data');
  }
  const { body = '' } = ctx.request as { body?: string };
  return parseJson(Buffer.from(body, BYTES));
}

const tooLarge = (limit: number) => new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);

function requireJson({ headers }: Context): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': header = '' } = headers;
  if (encoding !== 'identity') {
    const detail = 'Compressed bodies are not supported. Send the body without Content-Encoding.';
    throw new ApiError('unsupported_media_type', detail);
  }
  const { type, charset } = mediaType(header);
  if (type !== 'application/json' && !/^application\/[^;]+\+json$/.test(type)) {
    throw new ApiError('unsupported_media_type', 'Send the body as JSON with Content-Type: application/json.');
  }
  if (!/^utf-?8$/i.test(charset)) throw new ApiError('unsupported_media_type', 'Send the JSON in UTF-8.');
}

function mediaType(header: string): { type: string; charset: string } {
  try {
    const { type, parameters } = parseContentType(header);
    return { type, charset: parameters['charset'] ?? 'utf-8' };
  } catch {
    return { type: '', charset: '' };
  }
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ApiError('malformed_request', 'The body is empty. Send a JSON object.');
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('malformed_request', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('malformed_request', 'The body is not valid JSON.');
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw new ApiError('malformed_request', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  return value;
}
