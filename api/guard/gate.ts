/** Limits what one workspace uses at once: running requests, and memory for large bodies. */
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import { createTally } from '../../runtime/tally.ts';
import { ApiError } from '../errors.ts';

export interface Gate {
  /** Runs `work` in the order of the calls with this key. Throws `rate_limited` if `MAX_WAITING` calls wait already. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** A short queue serves clients that send 50 requests in parallel. A flood gets 429. */
const MAX_WAITING = 100;
const RETRY_AFTER_S = 1;

/** @param atOnce work of one key that runs at the same time. */
export function createGate(atOnce: number): Gate {
  const limits = new Map<string, LimitFunction>();
  return {
    async run(key, work) {
      const limit = limits.get(key) ?? pLimit(atOnce);
      if (limit.pendingCount >= MAX_WAITING) {
        throw new ApiError('rate_limited', 'Too many requests at once. Wait for some responses first.', {
          retryAfterS: RETRY_AFTER_S,
        });
      }
      limits.set(key, limit);
      try {
        return await limit(work);
      } finally {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
      }
    },
  };
}

export interface BodyMemory {
  /**
   * Starts to count one body. Call `add` as bytes arrive, and `release` once, after the response. `add` throws
   * `rate_limited` if the workspace uses a quarter of the memory, and `unavailable` if all of it is in use.
   */
  open(workspaceId: string): { add(bytes: number): void; release(): void };
}

/** @param maxBytes of the bodies of all workspaces in this process. */
export function createBodyMemory(maxBytes: number): BodyMemory {
  const tally = createTally();
  const retry = { retryAfterS: 5 };
  return {
    open(workspaceId) {
      let held = 0;
      return {
        add(bytes) {
          held += bytes;
          tally.add(workspaceId, bytes);
          if (tally.of(workspaceId) > maxBytes / 4) {
            throw new ApiError(
              'rate_limited',
              'Too many large requests at once. Wait for some responses first.',
              retry,
            );
          }
          if (tally.ofAll() > maxBytes) {
            throw new ApiError('unavailable', 'The server has too many large requests. Try again later.', retry);
          }
        },
        release: () => tally.add(workspaceId, -held),
      };
    },
  };
}
