/** Bounds the bytes of JSON bodies that this process holds at once. */
import type { IncomingMessage } from 'node:http';
import { createUserShares } from '../../runtime/fair-shares.ts';
import { ApiError } from '../errors.ts';
import { DEFAULT_LIMIT_BYTES } from './read-json.ts';

export interface BodyRoom {
  /**
   * Waits until there is room for the request's body, which is not read meanwhile, and returns what gives it back.
   * Throws `rate_limited` if there is none for too long.
   */
  take(request: IncomingMessage, sender: BodySender): Promise<() => void>;
}

interface BodySender {
  /** The user, or the address where there is none. */
  key: string;
  /** Largest body that the endpoint takes, in bytes. */
  limit?: number | undefined;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/** Bodies up to this size never wait: logins, and all but the longest conversations. */
const SMALL_BYTES = 64 * 1024;
const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_S = 10;

export function createBodyRoom(maxBytes: number): BodyRoom {
  const shares = createUserShares(maxBytes);
  return {
    async take({ headers }, { key, limit = DEFAULT_LIMIT_BYTES, signal }) {
      const bytes = Math.min(Number(headers['content-length'] ?? limit), limit);
      if (bytes <= SMALL_BYTES) return () => undefined;
      try {
        return await shares.take(key, bytes, AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]));
      } catch {
        throw new ApiError('rate_limited', 'Too many large requests are under way. Send fewer of them at once.', {
          headers: { 'Retry-After': String(RETRY_AFTER_S) },
        });
      }
    },
  };
}
