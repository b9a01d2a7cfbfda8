/** Addresses of hosts that users name. A name server that does not answer costs nobody but who named it. */
import { lookup, Resolver } from 'node:dns/promises';

/** All of one look-up: who saves an assistant waits no longer, and an attempt has time left for its exchange. */
const TIMEOUT_MS = 2_000;
/** The second try waits twice as long as the first. */
const FIRST_TRY_MS = 600;
const TRIES = 2;

/** Look-ups of one user at once, where nothing else bounds them. */
const MAX_PER_USER = 5;

/** An answer, also that there is none, is used for this long. */
const CACHE_MS = 5_000;
const MAX_CACHED = 1_000;

export interface Address {
  address: string;
  family: number;
}

/** Says that a name has no address, or that its name servers did not answer in time. */
export class UnresolvedHostError extends Error {
  override name = 'UnresolvedHostError';
}

export interface HostResolverOptions {
  /** Addresses of name servers, with a port if it is not 53; none: the machine's own. */
  servers?: readonly string[];
  /** Returns whether a name is looked up as the machine does it, in its hosts file too. */
  isLocal: (host: string) => boolean;
}

export interface HostResolver {
  /**
   * Returns all addresses of a name. Throws `UnresolvedHostError` after 2 s at the latest, or at once where `userId` has
   * as many look-ups under way as may be. @param host in lower case, without a final dot.
   */
  resolve(host: string, userId?: string): Promise<Address[]>;
}

/**
 * Asks name servers itself (c-ares): `getaddrinfo` would take one of the few threads for as long as a server is silent,
 * and vendors, PostgreSQL and files wait for the same threads. The machine's own way is left for the operator's names.
 */
export function createHostResolver({ servers = [], isLocal }: HostResolverOptions): HostResolver {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const underWay = new Map<string, number>();
  // The oldest first.
  const cache = new Map<string, { answer: Promise<Address[]>; until: number }>();

  async function ask(host: string): Promise<Address[]> {
    if (isLocal(host)) return lookup(host, { all: true });
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0) throw new Error('no address');
    return addresses;
  }

  function askOnce(host: string): Promise<Address[]> {
    const answer = inTime(ask(host)).catch(() => {
      throw new UnresolvedHostError(`${host} has no address, or its name servers do not answer`);
    });
    cache.delete(host);
    cache.set(host, { answer, until: performance.now() + CACHE_MS });
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    return answer;
  }

  return {
    async resolve(host, userId) {
      const known = cache.get(host);
      if (known && known.until > performance.now()) return known.answer;
      if (userId === undefined) return askOnce(host);
      const count = underWay.get(userId) ?? 0;
      if (count >= MAX_PER_USER) throw new UnresolvedHostError('too many look-ups of this user are under way');
      underWay.set(userId, count + 1);
      try {
        return await askOnce(host);
      } finally {
        const left = (underWay.get(userId) ?? 1) - 1;
        if (left > 0) underWay.set(userId, left);
        else underWay.delete(userId);
      }
    },
  };
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('time-out')), TIMEOUT_MS);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
