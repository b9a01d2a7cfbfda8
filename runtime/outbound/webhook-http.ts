/** Sends one guarded POST to a receiver. Every outcome is a return value; receiver failures are not thrown. */
import { request } from 'undici';
import type { Client } from 'undici';
import type { DeliveryFailure } from '../../contract/values/constants.ts';
import type { AddressGuard } from './address-guard.ts';
import { dial, failureOfError } from './dial.ts';
import { within } from './resolve-host.ts';
import { postgresSafeText } from '../postgres-safe.ts';

/** Bytes of a response body that are read and stored. */
export const MAX_RESPONSE_BYTES = 16 * 1024;

export interface WebhookExchange {
  failure: DeliveryFailure | null;
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
      status_code: null,
      response_headers: null,
      response_body: null,
      response_truncated: false,
    };
    const chunks: Buffer[] = [];
    let client: Client | undefined;
    try {
      const target = new URL(url);
      client = await dial(guard, target, bound);
      const sending = request(url, {
        method: 'POST',
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        body,
        dispatcher: client,
        signal: bound,
      });
      // While connecting, including TLS, the request ignores its signal.
      const response = await within(bound, sending);
      exchange.status_code = response.statusCode;
      exchange.response_headers = flattenHeaders(response.headers);
      exchange.response_truncated = await readUpTo(MAX_RESPONSE_BYTES, response.body, chunks);
      exchange.failure = failureOfStatus(response.statusCode);
    } catch (error) {
      signal.throwIfAborted();
      exchange.failure = deadline.aborted ? 'timeout' : failureOfError(error);
    } finally {
      void client?.destroy();
    }
    if (exchange.status_code !== null) exchange.response_body = decode(chunks);
    return exchange;
  }

  return { post };
}

/** Reads into `chunks`. Returns true if the body was longer; the connection is then closed. */
async function readUpTo(
  maxBytes: number,
  body: AsyncIterable<Buffer> & { destroy(): unknown },
  chunks: Buffer[],
): Promise<boolean> {
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) {
      body.destroy();
      return true;
    }
  }
  return false;
}

/** Converts any bytes to text that PostgreSQL can store. */
function decode(chunks: Buffer[]): string {
  return postgresSafeText(new TextDecoder().decode(Buffer.concat(chunks)));
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      postgresSafeText(name),
      postgresSafeText(Array.isArray(value) ? value.join(', ') : (value ?? '')),
    ]),
  );
}

function failureOfStatus(status: number): DeliveryFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}
