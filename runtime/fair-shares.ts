/** What a process has only so much of, such as memory or a core, shared fairly between those who ask for it. */
import { createTally } from './tally.ts';

export interface FairSharesOptions {
  /** The most that all keys together hold. */
  total: number;
  /** The most that one key holds. */
  perKey: number;
}

export interface FairShares {
  /**
   * Waits until `amount` is free, and returns what gives it back, to be called once. More than one key's share counts
   * as the whole share. Throws the reason of `signal` if that aborts the wait.
   */
  take(key: string, amount: number, signal?: AbortSignal): Promise<() => void>;
  /** Runs `work` with `amount` taken, and gives it back when that ends. */
  run<T>(key: string, amount: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** The part of a process's memory that one user may take: to keep others waiting, greedy users must be many. */
const USERS_PART = 1 / 4;

/** Returns shares of which one user has a quarter at most. */
export const createUserShares = (total: number): FairShares => createFairShares({ total, perKey: total * USERS_PART });

interface Waiter {
  amount: number;
  grant(): void;
}

/**
 * Keys take turns, so that nobody waits for more than one request of each other key; those of one key are served in the
 * order in which they came. A key that nobody uses takes no memory.
 */
export function createFairShares({ total, perKey }: FairSharesOptions): FairShares {
  const share = Math.min(perKey, total);
  const taken = createTally();
  // The keys in the order of their turns.
  const waiting = new Map<string, Waiter[]>();

  function serve(): void {
    for (const [key, queue] of waiting) {
      const first = queue[0] as Waiter;
      if (taken.of(key) + first.amount > share) continue;
      // Smaller requests of others would overtake a large one for ever.
      if (taken.ofAll() + first.amount > total) return;
      remove(key, queue, first);
      taken.add(key, first.amount);
      first.grant();
    }
  }

  /** The key's next request waits until the others had their turn: the loop above meets it again at the end. */
  function remove(key: string, queue: Waiter[], waiter: Waiter): void {
    queue.splice(queue.indexOf(waiter), 1);
    waiting.delete(key);
    if (queue.length > 0) waiting.set(key, queue);
  }

  async function take(key: string, asked: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const amount = Math.min(asked, share);
    const { promise, resolve: grant, reject } = Promise.withResolvers<void>();
    const waiter = { amount, grant };
    const queue = waiting.get(key) ?? [];
    const giveUp = () => {
      if (queue.includes(waiter)) remove(key, queue, waiter);
      reject(signal?.reason as Error);
      serve();
    };
    queue.push(waiter);
    waiting.set(key, queue);
    signal?.addEventListener('abort', giveUp, { once: true });
    serve();
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
    return () => {
      taken.add(key, -amount);
      serve();
    };
  }

  return {
    take,
    async run(key, amount, work, signal) {
      const giveBack = await take(key, amount, signal);
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
  };
}
