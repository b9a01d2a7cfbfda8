/** Bounds the bytes of JSON bodies that this process holds at once. */
import type { IncomingMessage } from 'node:http';
import { createUserShares } from '../../runtime/fair-shares.ts';
import { DEFAULT_LIMIT_BYTES } from './read-json.ts';
import { waitForShare } from './wait-for-share.ts';
import type { ShareWait } from './wait-for-share.ts';

export interface BodyRoom {
  /**
   * Waits until there is room for the request's body, which is not read meanwhile, and returns what gives it back.
   * Throws `rate_limited` if there is none for too long.
   */
  take(request: IncomingMessage, sender: BodySender): Promise<() => void>;
}

interface BodySender extends Omit<ShareWait, 'amount'> {
  /** Largest body that the endpoint takes, in bytes. */
  limit?: number | undefined;
}

/** Bodies up to this size never wait: logins, and all but the longest conversations. */
const SMALL_BYTES = 64 * 1024;

export function createBodyRoom(maxBytes: number): BodyRoom {
  const shares = createUserShares(maxBytes);
  return {
    async take({ headers }, { key, limit = DEFAULT_LIMIT_BYTES, signal }) {
      const bytes = Math.min(Number(headers['content-length'] ?? limit), limit);
      return bytes <= SMALL_BYTES ? () => undefined : waitForShare(shares, { key, amount: bytes, signal });
    },
  };
}
