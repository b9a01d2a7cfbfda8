/** Limits the concurrent requests of a worker to hosts that users choose, so no host and no workspace uses up its slots. */
import { isIP } from 'node:net';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { getDomain } from 'tldts';
import { createTally } from '../runtime/tally.ts';

export interface OutboundSlots {
  /** Claims a slot. Returns the function that releases it, to be called once, or the limit that is reached. */
  claim(request: { hostname: string; workspaceId: string }): (() => void) | Bound;
}

type Bound = 'host' | 'workspace' | 'worker';

/** Share of all slots that one workspace may use. */
const PER_WORKSPACE = 0.25;

/** @param perHost share of all slots that one host may use. */
export function createOutboundSlots(total: number, perHost: number): OutboundSlots {
  const taken = createTally();
  const part = (share: number) => Math.max(1, Math.floor(total * share));
  // Reserved for workspaces without an attempt in progress.
  const reserved = Math.floor(total / 10);
  return {
    claim({ hostname, workspaceId }) {
      const bounds = [
        { bound: 'worker', key: 'all', most: taken.of(`workspace ${workspaceId}`) === 0 ? total : total - reserved },
        { bound: 'workspace', key: `workspace ${workspaceId}`, most: part(PER_WORKSPACE) },
        { bound: 'host', key: `host ${domainOf(hostname)}`, most: part(perHost) },
      ] as const;
      const reached = bounds.find(({ key, most }) => taken.of(key) >= most);
      if (reached) return reached.bound;
      for (const { key } of bounds) taken.add(key, 1);
      return () => bounds.forEach(({ key }) => taken.add(key, -1));
    },
  };
}

/** Returns the registrable domain of a host name, or the address itself. */
function domainOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? (getDomain(host, { allowPrivateDomains: true }) ?? host) : host;
}

/** Longest wait for a slot, in seconds. */
const MAX_BUSY_S = 300;

/** Returns a failure with which Temporal retries the activity when a slot is likely to be free. @param what "attempts" */
export function busy(bound: Bound, host: string, what: string): ApplicationFailure {
  const { attempt } = Context.current().info;
  const seconds = Math.min(2 ** attempt, MAX_BUSY_S) * (0.5 + Math.random() / 2);
  const owner = { host: `with ${host}`, workspace: 'of this workspace', worker: 'of this worker' }[bound];
  return ApplicationFailure.create({
    type: 'busy',
    message: `too many ${what} in progress ${owner}`,
    nextRetryDelay: Math.round(seconds * 1_000),
  });
}
