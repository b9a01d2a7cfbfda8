/**
 * Bounds on the requests of one user, or of one address where there is no user yet. They are kept in PostgreSQL, so they
 * hold over several API processes, without a write per request: each process takes requests from a window in blocks of
 * a 60th of the bound, and serves from its block. Together the processes never serve more than the bound; of a process
 * that stops getting requests, less than a block is lost to the others until the window ends.
 */
import type { Knex } from 'knex';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';

export interface RequestLimits {
  /** Takes one request and gives the headers that tell of it; throws `rate_limited` when the window is used up. */
  take(key: string): Promise<Record<string, string>>;
}

export interface RequestLimitsOptions {
  /** Tells these limits from others in the same table. */
  name: string;
  /** Requests of one key in a window; 0: no bound. */
  points: number;
  windowS?: number;
}

/** The part of one key's window that this process has taken. */
interface Share {
  /** Requests that are taken and not yet served. */
  left: number;
  /** Requests that nobody had taken when this process last asked. */
  rest: number;
  endsAt: number;
}

const BLOCKS_PER_WINDOW = 60;

export function createRequestLimits(db: Knex, { name, points, windowS = 60 }: RequestLimitsOptions): RequestLimits {
  if (points === 0) return { take: () => Promise.resolve({}) };
  const limiter = new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: windowS,
  });
  const block = Math.max(1, Math.floor(points / BLOCKS_PER_WINDOW));
  // In the order in which their windows began, and so in the order in which they end.
  const shares = new Map<string, Share>();
  const asked = new Map<string, Promise<void>>();

  async function ask(key: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await limiter.consume(key, block).catch(asAnswer);
    const missed = Math.min(block, Math.max(0, consumedPoints - points));
    shares.delete(key);
    shares.set(key, {
      left: block - missed,
      rest: Math.max(0, points - consumedPoints),
      endsAt: performance.now() + msBeforeNext,
    });
    dropEnded();
  }

  function dropEnded(): void {
    for (const [key, { endsAt }] of shares) {
      if (endsAt > performance.now()) return;
      shares.delete(key);
    }
  }

  function headersOf({ left, rest, endsAt }: Share): Record<string, string> {
    return {
      'RateLimit-Policy': `"default";q=${points};w=${windowS}`,
      RateLimit: `"default";r=${left + rest};t=${secondsUntil(endsAt)}`,
    };
  }

  return {
    async take(key) {
      for (;;) {
        const share = shares.get(key);
        if (share !== undefined && share.endsAt > performance.now()) {
          if (share.left > 0) {
            share.left -= 1;
            return headersOf(share);
          }
          if (share.rest === 0) throw limited(share.endsAt, headersOf(share));
        }
        // Of requests that come at the same moment, one asks for all.
        const asking = asked.get(key) ?? ask(key).finally(() => asked.delete(key));
        asked.set(key, asking);
        await asking;
      }
    },
  };
}

/** Returns the library's answer, with which it rejects when that is "too many". */
function asAnswer(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}

const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - performance.now()) / 1_000));

function limited(endsAt: number, headers: Record<string, string>): ApiError {
  const seconds = secondsUntil(endsAt);
  return new ApiError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    headers: { ...headers, 'Retry-After': String(seconds) },
  });
}
