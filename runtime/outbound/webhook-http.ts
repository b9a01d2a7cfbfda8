/** Sends one guarded POST to a receiver. Every outcome is a return value; receiver failures are not thrown. */
import type { IncomingMessage } from 'node:http';
import type { DeliveryFailure } from '../../contract/values/constants.ts';
import type { AddressGuard } from './address-guard.ts';
import { describeError, dial } from './dial.ts';
import { postgresSafeText } from '../postgres-safe.ts';

/** Bytes of a response body that are read and stored. */
export const MAX_RESPONSE_BYTES = 16 * 1024;

export interface WebhookExchange {
  failure: DeliveryFailure | null;
  /** Code of the error: the parser's, of TLS or of the system. */
  failure_code: string | null;
  status_code: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_truncated: boolean;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Time limit of the whole exchange: DNS, connect, TLS, headers and body. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface WebhookHttp {
  post(request: WebhookRequest): Promise<WebhookExchange>;
}

export function createWebhookHttp(guard: AddressGuard): WebhookHttp {
  async function post({ url, headers, body, timeoutMs, signal }: WebhookRequest): Promise<WebhookExchange> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const bound = AbortSignal.any([deadline, signal]);
    const exchange: WebhookExchange = {
      failure: null,
      failure_code: null,
      status_code: null,
      response_headers: null,
      response_body: null,
      response_truncated: false,
    };
    const chunks: Buffer[] = [];
    let response: IncomingMessage | undefined;
    try {
      const target = new URL(url);
      const sent = { ...headers, 'Accept-Encoding': 'identity' };
      const times = { connectMs: timeoutMs, idleMs: timeoutMs };
      response = await dial(guard, target, { method: 'POST', headers: sent, body, signal: bound, ...times });
      const { statusCode = 0, headers: received } = response;
      exchange.status_code = statusCode;
      exchange.response_headers = flattenHeaders(received);
      exchange.response_truncated = await readUpTo(MAX_RESPONSE_BYTES, response, chunks);
      exchange.failure = failureOfStatus(statusCode, target, received.location);
    } catch (error) {
      signal.throwIfAborted();
      const { failure, code } = describeError(error);
      exchange.failure = deadline.aborted ? 'timeout' : failure;
      exchange.failure_code = deadline.aborted ? null : code;
    } finally {
      response?.destroy();
    }
    if (exchange.status_code !== null)
      exchange.response_body = decode(Buffer.concat(chunks), exchange.response_headers?.['content-type']);
    return exchange;
  }

  return { post };
}

/** Reads into `chunks`. Returns true if the body was longer; the connection is then closed. */
async function readUpTo(maxBytes: number, body: IncomingMessage, chunks: Buffer[]): Promise<boolean> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) {
      body.destroy();
      return true;
    }
  }
  return false;
}

/** Bytes at the start of a page in which browsers look for its encoding. */
const HEAD_BYTES = 1024;

/** Converts any bytes to text that PostgreSQL can store, in the encoding of the byte order mark, the header or the page. */
function decode(body: Buffer, contentType = ''): string {
  const mark = [...MARKS].find(([bytes]) => body.toString('hex', 0, 2) === bytes)?.[1];
  const page = body.toString('latin1', 0, HEAD_BYTES);
  const label = mark ?? (CHARSET.exec(contentType) ?? DECLARED.exec(page))?.[1] ?? 'utf-8';
  return postgresSafeText(decoderOf(label).decode(body));
}

const MARKS = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

const CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;
/** The declarations of HTML and XML. */
const DECLARED = /<(?:meta|\?xml)\s[^<>]*(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i;

function decoderOf(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      postgresSafeText(name),
      postgresSafeText(Array.isArray(value) ? value.join(', ') : (value ?? '')),
    ]),
  );
}

function failureOfStatus(status: number, target: URL, location: string | undefined): DeliveryFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status < 300 || status >= 400) return 'http_status';
  return isAppsScriptResult(status, target, location) ? null : 'redirect';
}

/**
 * Returns whether the redirect leads to the output of a Google Apps Script, which has run by then: its web apps send
 * no other response to a POST.
 */
const isAppsScriptResult = (status: number, target: URL, location: string | undefined) =>
  status === 302 &&
  /^(\/a)?\/macros\/([^/]+\/)?s\/[^/]+\/(exec|dev)$/.test(target.pathname) &&
  URL.parse(location ?? '', target.href)?.pathname === '/macros/echo';
