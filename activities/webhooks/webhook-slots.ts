/** Bounds how many webhook attempts this process makes at once, so that no receiver and no user takes what others need. */
import { isIP } from 'node:net';
import { getDomain } from 'tldts';

export interface WebhookSlotsOptions {
  /** Attempts of all users together. */
  total: number;
  /** Attempts to one receiver; at most half of all. */
  perHost: number;
  /** Attempts of one user; at most half of all. */
  perUser: number;
}

export interface WebhookSlots {
  /** Takes a slot and returns what frees it, to be called once; or returns the bound that is reached. */
  claim(attempt: { hostname: string; userId: string }): (() => void) | Bound;
}

export type Bound = 'host' | 'user' | 'worker';

export function createWebhookSlots({ total, perHost, perUser }: WebhookSlotsOptions): WebhookSlots {
  const half = Math.max(1, Math.floor(total / 2));
  const taken = new Map<string, number>();
  const count = (key: string) => taken.get(key) ?? 0;

  return {
    claim({ hostname, userId }) {
      const bounds = [
        { bound: 'worker', key: 'all', most: total },
        { bound: 'user', key: `user ${userId}`, most: Math.min(perUser, half) },
        { bound: 'host', key: `host ${receiverOf(hostname)}`, most: Math.min(perHost, half) },
      ] as const;
      const reached = bounds.find(({ key, most }) => count(key) >= most);
      if (reached) return reached.bound;
      for (const { key } of bounds) taken.set(key, count(key) + 1);
      return () => {
        for (const { key } of bounds) {
          if (count(key) === 1) taken.delete(key);
          else taken.set(key, count(key) - 1);
        }
      };
    },
  };
}

/** Returns who stands behind a name: its registrable domain, whatever the port and the names below it. */
function receiverOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? (getDomain(host, { allowPrivateDomains: true }) ?? host) : host;
}
