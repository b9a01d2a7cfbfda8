/** Limits failed logins, counted in PostgreSQL for all API processes together. docs/decisions.md, "Failed logins". */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { type ApiError, refusal } from '../errors.ts';
import { createGate } from './gate.ts';
import { networkOf } from './client-address.ts';
import { inPostgres } from './request-limits.ts';

const WINDOW_S = 15 * 60;
const FAILURES_PER_EMAIL_AND_ADDRESS = 10;
/** For all accounts together. An IPv6 /48 counts as one address. */
const FAILURES_PER_ADDRESS = 100;
/** From all addresses without a login to the account in the last 30 days. */
const FAILURES_PER_EMAIL = 100;
const KNOWN_ADDRESS_S = 30 * 24 * 3600;

/** Passwords of one account that a process checks at once. Each may be a guess beyond the limit. */
const CHECKS_PER_ACCOUNT = 4;

export interface LoginLimits {
  /** Runs `attempt`, which returns undefined for a failed login. Throws `rate_limited` after too many failures. */
  guard<T>(email: string, address: string, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Exempts the address from the limit of failures from unknown addresses. */
  remember(email: string, address: string): Promise<void>;
}

type Limit = readonly [RateLimiterPostgres, key: string];

/** Returns the key of an account. The counters outlive a deleted account, so they do not contain its email address. */
export const accountOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url');

export function createLoginLimits(db: Knex): LoginLimits {
  const limiter = (keyPrefix: string, points: number, duration = WINDOW_S) =>
    new RateLimiterPostgres({ ...inPostgres(db), keyPrefix, points, duration });
  const perEmailAndAddress = limiter('login-email-address', FAILURES_PER_EMAIL_AND_ADDRESS);
  const perAddress = limiter('login-address', FAILURES_PER_ADDRESS);
  const perEmail = limiter('login-email', FAILURES_PER_EMAIL);
  const knownAddresses = limiter('login-known', 1, KNOWN_ADDRESS_S);
  const checks = createGate(CHECKS_PER_ACCOUNT);
  const pairOf = (account: string, address: string) => `${account} ${networkOf(address)}`;

  return {
    async guard(email, address, attempt) {
      const account = accountOf(email);
      const pair = pairOf(account, address);
      const isKnown = (await knownAddresses.get(pair)) !== null;
      const limits: Limit[] = [
        [perAddress, networkOf(address, 48)],
        [perEmailAndAddress, pair],
        ...(isKnown ? [] : [[perEmail, account] as const]),
      ];
      const outcome = await checks.run(isKnown ? pair : account, async () => {
        await requireAttemptsLeft(limits);
        const result = await attempt();
        if (result === undefined) await countFailure(limits);
        return result;
      });
      if (outcome !== undefined) await knownAddresses.set(pair, 1, KNOWN_ADDRESS_S);
      return outcome;
    },

    async remember(email, address) {
      await knownAddresses.set(pairOf(accountOf(email), address), 1, KNOWN_ADDRESS_S);
    },
  };
}

async function requireAttemptsLeft(limits: readonly Limit[]): Promise<void> {
  for (const [limit, key] of limits) {
    const count = await limit.get(key);
    if (count !== null && count.consumedPoints >= limit.points) throw tooManyFailures(count);
  }
}

/** Counts a failure. Throws beyond the limit, because parallel guesses may all have passed the check before. */
async function countFailure(limits: readonly Limit[]): Promise<void> {
  const counts = await Promise.all(limits.map(async ([limit, key]) => ({ limit, count: await limit.penalty(key) })));
  const beyond = counts.find(({ limit, count }) => count.consumedPoints > limit.points);
  if (beyond) throw tooManyFailures(beyond.count);
}

const tooManyFailures = ({ msBeforeNext }: RateLimiterRes): ApiError =>
  refusal('failed_logins', { retryAfterS: Math.max(1, Math.ceil(msBeforeNext / 1_000)) });
