/** Holds on to what was paid for while the database is away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../db/connect.ts';

const RETRY_MS = 1_000;

/** Runs `write` until the database takes it; other errors, and the abort of `signal`, end the wait. */
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
