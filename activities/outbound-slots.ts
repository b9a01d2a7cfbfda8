/** Limits the concurrent requests of a worker to hosts that users choose, so no host and no owner of workspaces uses up its slots. */
import { isIP } from 'node:net';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { getDomain } from 'tldts';
import { createTally } from '../runtime/tally.ts';

export interface OutboundSlots {
  /** Claims a slot. Returns the function that releases it, to be called once, or the limit that is reached. */
  claim(request: { hostname: string; payer: string }): (() => void) | Bound;
}

type Bound = 'host' | 'owner' | 'worker';

/** Share of all slots that the workspaces of one owner may use. */
const PER_OWNER = 0.25;

/** @param perHost share of all slots that one host may use. */
export function createOutboundSlots(total: number, perHost: number): OutboundSlots {
  const taken = createTally();
  const part = (share: number) => Math.max(1, Math.floor(total * share));
  // Reserved for owners without an attempt in progress.
  const reserved = Math.floor(total / 10);
  return {
    claim({ hostname, payer }) {
      const bounds = [
        { bound: 'worker', key: 'all', most: taken.of(`owner ${payer}`) === 0 ? total : total - reserved },
        { bound: 'owner', key: `owner ${payer}`, most: part(PER_OWNER) },
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
export function busy(bound: Bound, host: string, what: string, mostS = MAX_BUSY_S): ApplicationFailure {
  const { attempt } = Context.current().info;
  const seconds = Math.min(2 ** attempt, mostS) * (0.5 + Math.random() / 2);
  const whose = { host: `with ${host}`, owner: "of this owner's workspaces", worker: 'of this worker' }[bound];
  return ApplicationFailure.create({
    type: 'no_slot',
    message: `too many ${what} in progress ${whose}`,
    nextRetryDelay: Math.round(seconds * 1_000),
  });
}
