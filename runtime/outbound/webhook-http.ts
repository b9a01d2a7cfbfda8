/** One guarded POST to a consumer's URL. Every way it can end is a value: nothing is thrown for what a receiver does. */
import { Client, request } from 'undici';
import type { DeliveryFailure } from '../../contract/constants.ts';
import { BlockedAddressError } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { UnresolvedHostError } from './resolve-host.ts';
import type { Address } from './resolve-host.ts';
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
  const clients = new Set<Client>();

  /** Returns a client that dials the addresses that were checked: the name is asked for once, and can't be rebound. */
  function connectTo({ origin }: URL, addresses: Address[]): Client {
    const client = new Client(origin, {
      // No connection is kept: a consumer that closes an idle one would fail the next delivery for no fault of its own.
      pipelining: 0,
      allowH2: false,
      connect: { lookup: (_hostname, _options, done) => done(null, addresses) },
    });
    clients.add(client);
    return client;
  }

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
      client = connectTo(target, await within(bound, guard.resolve(target.hostname)));
      const sending = request(url, {
        method: 'POST',
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        body,
        dispatcher: client,
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
    } finally {
      if (client) {
        clients.delete(client);
        void client.destroy();
      }
    }
    if (exchange.status_code !== null) exchange.response_body = decode(chunks);
    return exchange;
  }

  return {
    post,
    async close() {
      await Promise.all([...clients].map((client) => client.destroy()));
    },
  };
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

/** Returns the bytes as text that PostgreSQL can store, whatever they are: an attempt is never unrecordable. */
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
  if (error instanceof UnresolvedHostError) return 'dns';
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout';
  if (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls';
  return cause === undefined ? 'connect' : failureOfError(cause);
}
