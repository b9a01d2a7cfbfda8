/** Limits what one owner's workspaces or one person use at once: running requests, and memory for large requests and unread responses. */
import pLimit, { type LimitFunction } from 'p-limit';
import { createTally } from '../../runtime/tally.ts';
import { refusal } from '../errors.ts';

export interface Gate {
  /** Runs `work` in the order of the calls with this key. Throws `rate_limited` if `maxWaiting` calls wait already. */
  run<T>(key: string, work: () => Promise<T>, maxWaiting?: number): Promise<T>;
}

/** A short queue serves clients that send 50 requests in parallel. A flood gets 429. */
const MAX_WAITING = 100;
/** Programs that fill the queue leave room for people. */
export const MAX_WAITING_PEOPLE = 2 * MAX_WAITING;
const RETRY_AFTER_S = 1;

/** @param atOnce work of one key that runs at the same time. */
export function createGate(atOnce: number): Gate {
  const limits = new Map<string, LimitFunction>();
  return {
    async run(key, work, maxWaiting = MAX_WAITING) {
      const limit = limits.get(key) ?? pLimit(atOnce);
      if (limit.pendingCount >= maxWaiting) throw refusal('requests_at_once', { retryAfterS: RETRY_AFTER_S });
      limits.set(key, limit);
      try {
        return await limit(work);
      } finally {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
      }
    },
  };
}

export interface HeldBytes {
  count(bytes: number): void;
  /** Counts bytes, then throws as `require` does. */
  add(bytes: number): void;
  release(): void;
}

export interface Memory {
  /** Throws `rate_limited` if the client uses a quarter of the memory, and `unavailable` if all of it is in use. */
  require(key: string): void;
  /** Starts to count one body. Call `release` when its bytes are gone. */
  open(key: string): HeldBytes;
}

/** @param maxBytes of the bodies of all clients in this process. */
export function createMemory(maxBytes: number): Memory {
  const tally = createTally();
  const retry = { retryAfterS: 5 };
  function require(key: string): void {
    if (tally.of(key) > maxBytes / 4) throw refusal('requests_at_once:bytes', retry);
    if (tally.ofAll() > maxBytes) throw refusal('server_busy', retry);
  }
  return {
    require,
    open(key) {
      let held = 0;
      function count(bytes: number): void {
        held += bytes;
        tally.add(key, bytes);
      }
      return {
        count,
        add(bytes) {
          count(bytes);
          require(key);
        },
        release() {
          tally.add(key, -held);
          held = 0;
        },
      };
    },
  };
}
