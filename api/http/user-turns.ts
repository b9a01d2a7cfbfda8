/**
 * Has the requests of one user take turns, so that a burst of them does not stand between others and the process, its
 * connections to PostgreSQL and Temporal: docs/decisions.md, "Fair shares".
 */
import { createFairShares } from '../../runtime/fair-shares.ts';
import { waitForShare } from './wait-for-share.ts';

export interface UserTurns {
  /**
   * Waits until few enough requests of the user are worked on, and returns what ends the turn; calling that again does
   * nothing. Throws `rate_limited` if it takes too long.
   */
  take(userId: string, request: { bytes: number; signal: AbortSignal }): Promise<() => void>;
}

/** Small requests of one user that a process works on at once: half of its connections to PostgreSQL are left to others. */
const AT_ONCE = 10;

/** A body of so many bytes counts as one request more: the largest are taken one by one, for there is one thread. */
const BYTES_OF_A_REQUEST = 512 * 1024;

/**
 * Bytes in a millisecond of such bodies that a user sends one after the other. What follows costs the worker and
 * PostgreSQL more than reading them costs here, so the next one waits even where this one is answered.
 */
const PACE = 3 * 1024;

export function createUserTurns(): UserTurns {
  const shares = createFairShares({ total: Infinity, perKey: AT_ONCE });
  return {
    async take(userId, { bytes, signal }) {
      const amount = 1 + Math.floor(bytes / BYTES_OF_A_REQUEST);
      const giveBack = await waitForShare(shares, { key: userId, amount, signal });
      const began = performance.now();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        if (amount === 1) giveBack();
        else setTimeout(giveBack, Math.max(0, bytes / PACE - (performance.now() - began))).unref();
      };
    },
  };
}
