/** Bounds how many webhook attempts this process makes at once, so that no receiver and no user takes what others need. */
import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { createTally } from '../../runtime/tally.ts';

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
  claim(attempt: AttemptToBound): (() => void) | Bound;
}

export interface AttemptToBound {
  hostname: string;
  userId: string;
  /** The workflow to call when there is room; undefined: nobody waits. */
  workflowId?: string;
}

export type Bound = 'host' | 'user' | 'worker';

/** Who was called may ask another worker, so that there is still room here: then the next one is called. */
const CALL_AGAIN_MS = 2_000;

/** @param call tells a workflow whose attempt was refused that there is room now. */
export function createWebhookSlots(
  { total, perHost, perUser }: WebhookSlotsOptions,
  call: (workflowId: string) => void = () => undefined,
): WebhookSlots {
  const half = Math.max(1, Math.floor(total / 2));
  const taken = createTally();
  // By workflow, in the order in which they were refused.
  const waiting = new Map<string, AttemptToBound>();

  function boundsOf({ hostname, userId }: AttemptToBound) {
    return [
      { bound: 'worker', key: 'all', most: total },
      { bound: 'user', key: `user ${userId}`, most: Math.min(perUser, half) },
      { bound: 'host', key: `host ${receiverOf(hostname)}`, most: Math.min(perHost, half) },
    ] as const;
  }

  const reachedBy = (attempt: AttemptToBound) =>
    boundsOf(attempt).find(({ key, most }) => taken.of(key) >= most)?.bound;

  function callNext(): void {
    for (const [workflowId, attempt] of waiting) {
      if (reachedBy(attempt) !== undefined) continue;
      waiting.delete(workflowId);
      call(workflowId);
      setTimeout(callNext, CALL_AGAIN_MS).unref();
      return;
    }
  }

  return {
    claim(attempt) {
      const { workflowId } = attempt;
      const reached = reachedBy(attempt);
      if (reached !== undefined) {
        if (workflowId !== undefined) waiting.set(workflowId, attempt);
        return reached;
      }
      if (workflowId !== undefined) waiting.delete(workflowId);
      for (const { key } of boundsOf(attempt)) taken.add(key, 1);
      return () => {
        for (const { key } of boundsOf(attempt)) taken.add(key, -1);
        callNext();
      };
    },
  };
}

/** Returns who stands behind a name: its registrable domain, whatever the port and the names below it. */
function receiverOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? (getDomain(host, { allowPrivateDomains: true }) ?? host) : host;
}
