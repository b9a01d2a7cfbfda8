/** Resolves host names chosen by users. */
import { lookup, Resolver } from 'node:dns/promises';

/** Time limit of a lookup. Saving an assistant waits for it, and an attempt needs the remaining time for its request. */
const TIMEOUT_MS = 2_000;
/** Time limit of the first try; the second try has twice as long. */
const FIRST_TRY_MS = 600;
const TRIES = 2;

export interface Address {
  address: string;
  family: number;
}

/** The name has no address, or its name servers did not respond in time. */
export class UnresolvedHostError extends Error {
  override name = 'UnresolvedHostError';
}

interface HostResolverOptions {
  /** Addresses of name servers, with a port if it is not 53. Empty: the machine's own. */
  servers?: readonly string[];
  /** Returns whether to resolve a name like the operating system, including the hosts file. */
  isLocal: (host: string) => boolean;
}

/**
 * Returns a function that returns all addresses of a name in lower case, without a trailing dot. Throws
 * `UnresolvedHostError` within 2 s. Queries name servers directly (c-ares): `getaddrinfo` would block one of the few
 * threads that PostgreSQL, files and providers share, so only names that the operator allows use it.
 */
export function createHostResolver({ servers = [], isLocal }: HostResolverOptions) {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);

  async function query(host: string): Promise<Address[]> {
    if (isLocal(host)) return lookup(host, { all: true });
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0) throw new Error('no address');
    return addresses;
  }

  return async function resolveHost(host: string): Promise<Address[]> {
    try {
      return await within(AbortSignal.timeout(TIMEOUT_MS), query(host));
    } catch {
      throw new UnresolvedHostError(`${host} has no address, or its name servers do not respond`);
    }
  };
}

/** Waits for a promise until `signal` aborts, for work that can't be aborted, such as a DNS lookup. */
export function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}
