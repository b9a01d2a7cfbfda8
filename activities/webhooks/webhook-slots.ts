/** Limits the concurrent webhook attempts of a worker, so no receiver and no workspace uses up its slots. */
import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { createTally } from '../../runtime/tally.ts';

export interface WebhookSlots {
  /** Claims a slot. Returns the function that releases it, to be called once, or the limit that is reached. */
  claim(attempt: { hostname: string; workspaceId: string }): (() => void) | Bound;
}

export type Bound = 'host' | 'workspace' | 'worker';

/** Shares of all slots that one receiver and one workspace may use. */
const PER_HOST = 0.05;
const PER_WORKSPACE = 0.25;

export function createWebhookSlots(total: number): WebhookSlots {
  const taken = createTally();
  const part = (share: number) => Math.max(1, Math.floor(total * share));
  // Reserved for workspaces without an attempt in progress.
  const reserved = Math.floor(total / 10);
  return {
    claim({ hostname, workspaceId }) {
      const bounds = [
        { bound: 'worker', key: 'all', most: taken.of(`workspace ${workspaceId}`) === 0 ? total : total - reserved },
        { bound: 'workspace', key: `workspace ${workspaceId}`, most: part(PER_WORKSPACE) },
        { bound: 'host', key: `host ${receiverOf(hostname)}`, most: part(PER_HOST) },
      ] as const;
      const reached = bounds.find(({ key, most }) => taken.of(key) >= most);
      if (reached) return reached.bound;
      for (const { key } of bounds) taken.add(key, 1);
      return () => bounds.forEach(({ key }) => taken.add(key, -1));
    },
  };
}

/** Returns the registrable domain of a host name, or the address itself. */
function receiverOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? (getDomain(host, { allowPrivateDomains: true }) ?? host) : host;
}
