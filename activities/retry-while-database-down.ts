/** Repeats a write while the database is away, so that nothing that was paid for is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../db/connect.ts';

const RETRY_MS = 1_000;

/** Runs `write` until the database takes it. Throws its other errors, and the reason of `signal` when that aborts. */
export async function retryWhileDatabaseDown<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}
