/** Reads JSON bodies. Everything but JSON in UTF-8 within the limits of size and depth is refused with a 4xx. */
import { parse as parseContentType } from 'content-type';
import type { Context, Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { MAX_JSON_DEPTH } from '../../runtime/postgres-safe.ts';
import { invalidAt, refusal } from '../errors.ts';

/** The server's own request timeout allows for recordings. */
const MAX_BODY_MS = 300_000;

/** Members and items of one body, because each costs more time than its bytes. The longest conversation has 25,000. */
export const MAX_JSON_VALUES = 30_000;

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
  { limit, count }: { limit: number; count?: ((bytes: number) => void) | undefined },
): Promise<unknown> {
  requireJson(ctx);
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(limit);
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const timeout = () => reject(refusal('request_timeout:body'));
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
        throw isTooLarge ? tooLarge(limit) : refusal('malformed_request:incomplete');
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

const tooLarge = (limit: number) => refusal('payload_too_large:body', { max: limit });

function requireJson({ headers }: Context): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': header = '' } = headers;
  if (encoding !== 'identity') throw refusal('unsupported_media_type:compressed');
  const { type, parameters } = parseContentType(header);
  if (type !== 'application/json' && !/^application\/[^;]+\+json$/.test(type)) {
    throw refusal('unsupported_media_type:json');
  }
  if (!/^utf-?8$/i.test(parameters['charset'] ?? 'utf-8')) throw refusal('unsupported_media_type:charset');
}

/** Returns the value of JSON in UTF-8, or throws a 4xx. Exported for the test of hostile bodies. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw refusal('malformed_request:empty');
  requireSimple(bytes);
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal('malformed_request:utf8');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refusal('malformed_request:json');
  }
}

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
const OPENING = new Set(Buffer.from('[{'));
const CLOSING = new Set(Buffer.from(']}'));

/** Throws if the JSON is deep or has many members. Reads bytes, because to parse 5 MB of `{},{}` takes a fifth of a second. */
function requireSimple(bytes: Buffer): void {
  let values = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) [values, depth] = [values + 1, depth + 1];
    else if (CLOSING.has(byte)) depth--;
    if (depth > MAX_JSON_DEPTH) throw refusal('malformed_request:deep', { max: MAX_JSON_DEPTH });
    if (values > MAX_JSON_VALUES) throw invalidAt('', 'too_many', { max: MAX_JSON_VALUES, unit: 'values' });
  }
}
