/** Connections to hosts that users choose. */
import { Client } from 'undici';
import { BlockedAddressError } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { UnresolvedHostError, within } from './resolve-host.ts';

/** Returns a client that dials only checked addresses. The name is resolved once, so it can't be rebound. */
export async function dial(
  guard: AddressGuard,
  target: URL,
  signal: AbortSignal,
  options: Pick<Client.Options, 'headersTimeout' | 'bodyTimeout' | 'connectTimeout'> = {},
): Promise<Client> {
  const addresses = await within(signal, guard.resolve(target.hostname));
  return new Client(target.origin, {
    ...options,
    // No keep-alive: a host that closes an idle connection would fail the next request.
    pipelining: 0,
    allowH2: false,
    connect: { lookup: (_hostname, _options, done) => done(null, addresses) },
  });
}

/** Returns the code of the failure; `connect` for all errors that are not of the guard, DNS, timeouts or TLS. */
export function failureOfError(error: unknown): 'blocked_address' | 'dns' | 'timeout' | 'tls' | 'connect' {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error instanceof UnresolvedHostError) return 'dns';
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  if (/^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/.test(code)) return 'timeout';
  if (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls';
  return cause === undefined ? 'connect' : failureOfError(cause);
}
