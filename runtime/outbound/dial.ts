/** Requests to hosts that users choose. */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HTTP_FAILURES } from '../../contract/values/constants.ts';
import { EVERY_ADDRESS } from '../network/every-address.ts';
import { BlockedAddressError, type AddressGuard } from './address-guard.ts';
import { UnresolvedHostError, within } from './resolve-host.ts';

type HttpFailure = (typeof HTTP_FAILURES)[number];

interface OutboundRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  connectMs: number;
  /** Longest time without data that the reader waits for. */
  idleMs: number;
}

/** Responses such as 103 before the response. */
const MAX_INTERIM = 20;

/** Share of `connectMs` that all addresses but the last may use. */
const SHARE_OF_ATTEMPTS = 0.8;

/**
 * Sends a request to checked addresses only: the name is resolved once, so it can't be rebound. Every address is tried in
 * turn. Uses Node's own client: undici takes a `100 Continue` that was not requested for a failure, and reports a complete
 * body as cut off if the host closes the connection while the reader is behind.
 */
export async function dial(guard: AddressGuard, target: URL, outbound: OutboundRequest): Promise<http.IncomingMessage> {
  const { method, headers, body = '', signal, connectMs, idleMs } = outbound;
  const addresses = await within(signal, guard.resolve(target.hostname));
  const perAddressMs = Math.floor((connectMs * SHARE_OF_ATTEMPTS) / addresses.length);
  const attemptMs = Math.max(10, Math.min(EVERY_ADDRESS.autoSelectFamilyAttemptTimeout, perAddressMs));
  const everyAddress = { ...EVERY_ADDRESS, autoSelectFamilyAttemptTimeout: attemptMs };
  const lookup: LookupFunction = (_hostname, { all }, done) => {
    const [{ address, family } = { address: '', family: 0 }] = addresses;
    if (all) done(null, addresses);
    else done(null, address, family);
  };
  const { request } = target.protocol === 'https:' ? https : http;
  const responded = new Promise<http.IncomingMessage>((resolve, reject) => {
    // Without an agent: a host that closes an idle connection would fail the next request.
    const own = { method, headers, signal, lookup, auth: null, timeout: connectMs, agent: false } as const;
    const sent = request(target, { ...own, ...everyAddress });
    let response: http.IncomingMessage | undefined;
    let interim = 0;
    sent.on('information', () => {
      if (++interim > MAX_INTERIM) sent.destroy(withCode('TOO_MANY_INTERIM'));
    });
    sent.on('response', (received) => {
      // The body reports errors to its reader, who may not have started yet.
      response = received.on('error', () => undefined);
      resolve(response);
    });
    sent.on('error', (error) => {
      response?.destroy(error);
      reject(error);
    });
    sent.on('socket', (socket) => socket.once('connect', () => sent.setTimeout(idleMs)));
    sent.on('upgrade', (_received, socket) => {
      socket.destroy();
      reject(withCode('UNEXPECTED_UPGRADE'));
    });
    sent.on('timeout', () => {
      // The reader is behind, not the host.
      if (response && response.readableLength > 0) sent.setTimeout(idleMs);
      else (response ?? sent).destroy(withCode('ETIMEDOUT'));
    });
    sent.end(body);
  });
  return within(signal, responded);
}

const withCode = (code: string) => Object.assign(new Error(code), { code });

/** Returns what happened, and the code of the error: the parser's, of TLS or of the system; null: none. */
export function describeError(error: unknown): { failure: HttpFailure; code: string | null } {
  if (error instanceof BlockedAddressError) return { failure: 'blocked_address', code: null };
  if (error instanceof UnresolvedHostError) return { failure: 'dns', code: null };
  const code = codeOf(error);
  const failure = FAILURES.find(([codes]) => codes.test(code))?.[1] ?? 'connect';
  return { failure, code: (failure === 'tls' && reasonOfTls(error)) || code || null };
}

/** Returns the code of an error. Of the errors of several addresses, a timeout says more than a refusal. */
function codeOf(error: unknown): string {
  const { code = '' } = error as { code?: string };
  const codes = error instanceof AggregateError ? error.errors.map(codeOf) : [];
  return codes.find((each) => each === 'ETIMEDOUT') ?? codes.at(-1) ?? code;
}

/** Returns OpenSSL's reason as a code, such as `ALERT_PROTOCOL_VERSION`: Node reports most of them as `EPROTO`. */
function reasonOfTls(error: unknown): string | undefined {
  const { message = '' } = error as { message?: string };
  const reason = /:SSL routines:[^:]*:(?:(?:ssl|tls)[\w/]* )?([^:]+):/.exec(message)?.[1];
  return reason?.toUpperCase().replaceAll(/\W+/g, '_');
}

/** Failures by the code of the error. */
const FAILURES: [RegExp, HttpFailure][] = [
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(HPE_|UNEXPECTED_UPGRADE|TOO_MANY_INTERIM)/, 'invalid_response'],
  [/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/, 'connection_closed'],
  [/^(ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH)/, 'tls'],
];
