import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../db/connect.ts';

const RETRY_MS = 1_000;

/**
 * Repeats a write while the database is down. Throws other errors of the write, and the reason of `signal` if it aborts. Writes
 * of what was paid for have no signal: only a crash may lose them, neither a cancellation nor the shutdown of the worker.
 */
export async function retryWhileDatabaseDown<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(RETRY_MS, undefined, signal && { signal });
    }
  }
}
