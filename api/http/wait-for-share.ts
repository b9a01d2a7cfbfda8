import type { FairShares } from '../../runtime/fair-shares.ts';
import { ApiError } from '../errors.ts';

const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_S = 10;

export interface ShareWait {
  /** The user, or the address where there is none. */
  key: string;
  amount: number;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/** Waits for a share and returns what gives it back, to be called once. Throws `rate_limited` if that takes too long. */
export async function waitForShare(shares: FairShares, { key, amount, signal }: ShareWait): Promise<() => void> {
  try {
    return await shares.take(key, amount, AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]));
  } catch {
    throw new ApiError('rate_limited', 'Too many of your requests are under way. Send fewer of them at once.', {
      headers: { 'Retry-After': String(RETRY_AFTER_S) },
    });
  }
}
