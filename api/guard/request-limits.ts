/** Limits requests per minute: by workspace, by address, and requests with invalid credentials by address. */
import type { Knex } from 'knex';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError, refusal } from '../errors.ts';
import { networkOf } from './client-address.ts';

export interface RequestLimits {
  /** Counts one request and returns the `RateLimit` headers. Throws `rate_limited` beyond the limit. */
  take(key: string): Promise<Record<string, string>>;
}

/** Returns the options of a limiter that counts in PostgreSQL for all API processes. */
export const inPostgres = (db: Knex) => ({
  storeClient: db,
  storeType: 'knex',
  tableName: 'rate_limits',
  tableCreated: true,
});

interface RequestLimitsOptions {
  /** Prefix of the keys in the table. */
  name: string;
  /** Requests of one key in a window; 0: no limit. */
  points: number;
  windowS?: number;
}

export function createRequestLimits(db: Knex, { name, points, windowS = 60 }: RequestLimitsOptions): RequestLimits {
  if (points === 0) return { take: () => Promise.resolve({}) };
  const limiter = new RateLimiterPostgres({
    ...inPostgres(db),
    keyPrefix: name,
    points,
    duration: windowS,
    // Requests beyond the limit need no statement.
    inMemoryBlockOnConsumed: points + 1,
  });
  return {
    async take(key) {
      let isExceeded = false;
      const { remainingPoints, msBeforeNext } = await limiter.consume(key).catch((rejection: unknown) => {
        // Beyond the limit the library rejects with its result instead of an error.
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        isExceeded = true;
        return rejection;
      });
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
      const headers = {
        'RateLimit-Policy': `"default";q=${points};w=${windowS}`,
        RateLimit: `"default";r=${remainingPoints};t=${seconds}`,
      };
      if (!isExceeded) return headers;
      throw refusal('requests_limit', { seconds }, { headers, retryAfterS: seconds });
    },
  };
}

/** IPv6 /64 networks that one /48 site may use to their limit. A /48 contains 65,536 of them. */
const NETWORKS_PER_SITE = 10;

/** Limits the requests of an IPv4 address or IPv6 /64, and those of an IPv6 /48 at ten times the limit. */
export function createAddressLimits(db: Knex, points: number): RequestLimits {
  const perNetwork = createRequestLimits(db, { name: 'address', points });
  const perSite = createRequestLimits(db, { name: 'address-site', points: points * NETWORKS_PER_SITE });
  return {
    async take(address) {
      const [network, site] = [networkOf(address), networkOf(address, 48)];
      const headers = await perNetwork.take(network);
      if (site !== network) await perSite.take(site);
      return headers;
    },
  };
}

export interface UnauthorizedLimits {
  /** Runs `authenticate`. Throws `rate_limited` instead if it has thrown `unauthorized` too often for this address. */
  guard<T>(address: string, authenticate: () => Promise<T>): Promise<T>;
}

/**
 * Limits requests with invalid credentials, because each of them runs a query. Counts per process.
 * @param points failures of one address in a minute; 0: no limit.
 */
export function createUnauthorizedLimits(points: number): UnauthorizedLimits {
  if (points === 0) return { guard: (_address, authenticate) => authenticate() };
  const failures = new RateLimiterMemory({ points, duration: 60 });
  return {
    async guard(address, authenticate) {
      const network = networkOf(address);
      const count = await failures.get(network);
      if (count !== null && count.consumedPoints >= points) {
        throw refusal('invalid_credentials', { retryAfterS: Math.ceil(count.msBeforeNext / 1_000) });
      }
      try {
        return await authenticate();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unauthorized') await failures.penalty(network);
        throw error;
      }
    },
  };
}
