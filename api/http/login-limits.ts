/** Bounds on failed logins, in PostgreSQL, so that they hold over several API processes. docs/decisions.md, "Failed logins". */
import type { Knex } from 'knex';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './api-error.ts';

/** Failures that one address may cause for one account, and for all accounts together, in the window. */
const WINDOW_S = 15 * 60;
const FAILURES_PER_EMAIL_AND_ADDRESS = 10;
const FAILURES_PER_ADDRESS = 100;
/** Failures for one account from all addresses; an address that has logged in to it before is not held to this one. */
const FAILURES_PER_EMAIL = 100;
const KNOWN_ADDRESS_S = 30 * 24 * 3600;

export interface LoginLimits {
  /** Runs `attempt`, which says whether the login succeeded; throws `rate_limited` if there were too many failures. */
  guard<T>(email: string, address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
}

export function createLoginLimits(db: Knex): LoginLimits {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: db,
      storeType: 'knex',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  const perEmailAndAddress = limiter('login-email-address', FAILURES_PER_EMAIL_AND_ADDRESS, WINDOW_S);
  const perAddress = limiter('login-address', FAILURES_PER_ADDRESS, WINDOW_S);
  const perEmail = limiter('login-email', FAILURES_PER_EMAIL, WINDOW_S);
  const knownAddresses = limiter('login-known', 1, KNOWN_ADDRESS_S);

  return {
    async guard(email, address, attempt) {
      const account = email.toLowerCase();
      const pair = `${account} ${address}`;
      // Counted before the password is looked at, so that guesses made at the same moment count too.
      const held: [RateLimiterPostgres, string][] = [
        [perAddress, address],
        [perEmailAndAddress, pair],
      ];
      if ((await knownAddresses.get(pair)) === null) held.push([perEmail, account]);
      for (const [limit, key] of held) await consume(limit, key);
      const outcome = await attempt();
      if (outcome !== undefined) {
        await Promise.all(held.map(([limit, key]) => limit.reward(key)));
        await knownAddresses.set(pair, 1, KNOWN_ADDRESS_S);
      }
      return outcome;
    },
  };
}

async function consume(limit: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    throw new ApiError('rate_limited', 'Too many failed logins. Wait before you try again.', {
      headers: { 'Retry-After': String(Math.ceil(rejection.msBeforeNext / 1_000)) },
    });
  }
}
