/** Reads a JSON body strictly: what is not JSON in UTF-8, or too large or too deep, never reaches a handler. */
import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import getRawBody from 'raw-body';
import { isDeeperThan, MAX_JSON_DEPTH } from '../../runtime/postgres-safe.ts';
import { ApiError } from '../errors.ts';

/** Bound of a body whose endpoint names none. */
export const DEFAULT_LIMIT_BYTES = 1024 * 1024;

/** The server's own bound is made for recordings. */
const MAX_BODY_MS = 300_000;

/** Returns the bytes of a body that says it is JSON. */
export async function readJsonBytes(request: IncomingMessage, limit = DEFAULT_LIMIT_BYTES): Promise<Buffer> {
  requireJson(request);
  return readBytes(request, limit);
}

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ApiError('malformed_request', 'The body is empty; send a JSON object.');
  const value = parseUtf8Json(bytes);
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw new ApiError('malformed_request', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  return value;
}

function requireJson({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      'Compressed bodies are not supported; send it without Content-Encoding.',
    );
  }
  const { type, charset } = mediaType(headers['content-type'] ?? '');
  if (type !== 'application/json' && !/^application\/[^;]+\+json$/.test(type)) {
    throw new ApiError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
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

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ApiError('request_timeout', 'The body did not arrive in time.')),
    MAX_BODY_MS,
  );
  try {
    return await Promise.race([
      getRawBody(request, { limit, length: request.headers['content-length'] ?? null }),
      late,
    ]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') {
      throw new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);
    }
    throw new ApiError('malformed_request', 'The body did not arrive completely.');
  } finally {
    clearTimeout(timer);
  }
}

function parseUtf8Json(bytes: Buffer): unknown {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('malformed_request', 'The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_request', 'The body is not valid JSON.');
  }
}
