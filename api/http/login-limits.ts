/** Bounds on failed logins, in PostgreSQL, so that they hold over several API processes. docs/decisions.md, "Failed logins". */
import type { Knex } from 'knex';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { createFairShares } from '../../runtime/fair-shares.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from './client-address.ts';

/** Failures that one address may cause for one account, and for all accounts together, in the window. */
const WINDOW_S = 15 * 60;
const FAILURES_PER_EMAIL_AND_ADDRESS = 10;
const FAILURES_PER_ADDRESS = 100;
/** All networks of one IPv6 subscriber together. */
const FAILURES_PER_SITE = 10 * FAILURES_PER_ADDRESS;
/** Failures for one account from all addresses; an address that has logged in to it before is not held to this one. */
const FAILURES_PER_EMAIL = 100;
const KNOWN_ADDRESS_S = 30 * 24 * 3600;

/** Passwords that one process checks at once: each may be a guess beyond the bound, since only failures are counted. */
const CHECKS_PER_ACCOUNT = 4;
const CHECKS_PER_ADDRESS = 16;

export interface LoginLimits {
  /** Runs `attempt`, which says whether the login succeeded; throws `rate_limited` if there were too many failures. */
  guard<T>(email: string, address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Holds the address, from which the account was just used, no more to what all others fail. */
  remember(email: string, address: string): Promise<void>;
}

type Bound = readonly [RateLimiterPostgres, key: string];

export function createLoginLimits(db: Knex): LoginLimits {
  const limiter = (keyPrefix: string, points: number, duration = WINDOW_S) =>
    new RateLimiterPostgres({
      ...{ storeClient: db, storeType: 'knex', tableName: 'rate_limits', tableCreated: true },
      ...{ keyPrefix, points, duration },
    });
  const perEmailAndAddress = limiter('login-email-address', FAILURES_PER_EMAIL_AND_ADDRESS);
  const perAddress = limiter('login-address', FAILURES_PER_ADDRESS);
  const perSite = limiter('login-site', FAILURES_PER_SITE);
  const perEmail = limiter('login-email', FAILURES_PER_EMAIL);
  const knownAddresses = limiter('login-known', 1, KNOWN_ADDRESS_S);
  const perAccount = createFairShares({ total: Infinity, perKey: CHECKS_PER_ACCOUNT });
  const perNetwork = createFairShares({ total: Infinity, perKey: CHECKS_PER_ADDRESS });

  async function check<T>(bounds: readonly Bound[], attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    await refuseIfUsedUp(bounds);
    const outcome = await attempt();
    // Guesses of the same moment may all have been let in: the answer to those beyond the bound is that of the next one.
    if (outcome === undefined) await countFailure(bounds);
    return outcome;
  }

  return {
    async guard(email, address, attempt) {
      const { account, network, site, pair } = keysOf(email, address);
      const isKnown = (await knownAddresses.get(pair)) !== null;
      const bounds: Bound[] = [
        [perAddress, network],
        ...(site === network ? [] : [[perSite, site] as const]),
        [perEmailAndAddress, pair],
        ...(isKnown ? [] : [[perEmail, account] as const]),
      ];
      // The address first: who waits for an account holds up only their own address.
      const outcome = await perNetwork.run(network, 1, () =>
        perAccount.run(isKnown ? pair : account, 1, () => check(bounds, attempt)),
      );
      if (outcome !== undefined) await knownAddresses.set(pair, 1, KNOWN_ADDRESS_S);
      return outcome;
    },

    async remember(email, address) {
      await knownAddresses.set(keysOf(email, address).pair, 1, KNOWN_ADDRESS_S);
    },
  };
}

function keysOf(email: string, address: string) {
  const account = email.toLowerCase();
  const network = networkOf(address);
  return { account, network, site: networkOf(address, 48), pair: `${account} ${network}` };
}

async function refuseIfUsedUp(bounds: readonly Bound[]): Promise<void> {
  for (const [limit, key] of bounds) {
    const count = await limit.get(key);
    if (count !== null && count.consumedPoints >= limit.points) throw tooManyFailures(count);
  }
}

async function countFailure(bounds: readonly Bound[]): Promise<void> {
  const counts = await Promise.all(bounds.map(async ([limit, key]) => ({ limit, count: await limit.penalty(key) })));
  const beyond = counts.find(({ limit, count }) => count.consumedPoints > limit.points);
  if (beyond) throw tooManyFailures(beyond.count);
}

function tooManyFailures({ msBeforeNext }: RateLimiterRes): ApiError {
  return new ApiError('rate_limited', 'Too many failed logins. Wait before you try again.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1_000))) },
  });
}
