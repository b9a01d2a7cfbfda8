/** One guarded POST to a consumer's URL. Every way it can end is a value: nothing is thrown for what a receiver does. */
import { Agent, request } from 'undici';
import type { DeliveryFailure } from '../../contract/constants.ts';
import { BlockedAddressError } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { postgresSafeText } from '../postgres-safe.ts';

/** Bytes of a response's body that are read and kept. */
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
  /** Bound of the whole exchange: DNS, connect, TLS, headers and body. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface WebhookHttp {
  post(request: WebhookRequest): Promise<WebhookExchange>;
  close(): Promise<void>;
}

export function createWebhookHttp(guard: AddressGuard): WebhookHttp {
  const agent = new Agent({
    // No connection is kept: a consumer that closes an idle one would fail the next delivery for no fault of its own.
    pipelining: 0,
    allowH2: false,
    connect: {
      // The addresses that were checked are the ones dialled, so a name can't be rebound in between.
      lookup: (hostname, _options, done) => {
        guard.resolve(hostname).then(
          (addresses) => done(null, addresses),
          (error: unknown) => done(error as NodeJS.ErrnoException, []),
        );
      },
    },
  });

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
    try {
      await within(bound, guard.resolve(new URL(url).hostname)); // an address literal never reaches the agent's lookup
      const sending = request(url, {
        method: 'POST',
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        body,
        dispatcher: agent,
        signal: bound,
      });
      // While a connection is being made, its TLS included, the request does not heed its signal.
      const response = await within(bound, sending);
      exchange.status_code = response.statusCode;
      exchange.response_headers = flattenHeaders(response.headers);
      exchange.response_truncated = await readUpTo(MAX_RESPONSE_BYTES, response.body, chunks);
      exchange.failure = failureOfStatus(response.statusCode);
    } catch (error) {
      signal.throwIfAborted();
      exchange.failure = deadline.aborted ? 'timeout' : failureOfError(error);
    }
    if (exchange.status_code !== null) exchange.response_body = decode(chunks);
    return exchange;
  }

  return { post, close: () => agent.destroy() };
}

/** Waits for a promise until `signal` aborts, for work that can't be aborted itself, such as a look-up in the DNS. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Reads into `chunks`; true if there was more. The connection is dropped then: the rest may be endless. */
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

/** Whatever the bytes are, PostgreSQL can store the text: an attempt is never unrecordable. */
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

/** Returns the failure's code. An error of neither the guard, DNS, a time-out nor TLS is the connection's. */
function failureOfError(error: unknown): DeliveryFailure {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  const { code = '', syscall, cause } = error as { code?: string; syscall?: string; cause?: unknown };
  if (syscall === 'getaddrinfo') return 'dns';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  if (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls';
  return cause === undefined ? 'connect' : failureOfError(cause);
}
