/** Limits the concurrent calls of one kind in a worker, and leaves slots to the workspaces of other owners. */
import { performance } from 'node:perf_hooks';
import { ApplicationFailure } from '@temporalio/common';
import type { Caller } from '../contract/workflows.ts';
import { createTally } from '../runtime/tally.ts';

export interface Bulkhead {
  hasSlotFor(caller: Caller): boolean;
  /** Claims a slot. Returns the function that releases it, to be called once. Throws the refusal if this caller gets none. */
  claim(caller: Caller): () => void;
  /** Returns a failure with which Temporal retries the step when a slot is likely to be free. */
  refusal(caller: Caller): ApplicationFailure;
}

/**
 * The workspaces of an owner may hold this many times the number of free slots. One owner alone gets 4/5 of all slots, two get
 * 4/9 each. The rest is for owners without slots, and partly for requests with a waiting client.
 */
const SHARE = { queued: 4, awaited: 8 };

const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 300_000;

/** Shortest interval between refused steps of an owner while no slot becomes free. */
const STALLED_PAUSE_MS = 100;

/** Assumed time for which a slot is held before one was released. */
const FIRST_GUESS_MS = 1_000;

/** Weight of the last call in the mean time. */
const WEIGHT = 0.1;

/** @param what names the calls in messages: "calls to openai". */
export function createBulkhead(slots: number, what: string): Bulkhead {
  const held = createTally();
  /** Last retry time given to a refused step, by owner and priority. */
  const retryTimes = new Map<string, number>();
  let meanMs = FIRST_GUESS_MS;
  let releasedAt = performance.now();

  function hasSlotFor({ payer, is_awaited }: Caller): boolean {
    const [own, free] = [held.of(payer), slots - held.ofAll()];
    return free > 0 && (own === 0 || own < (is_awaited ? SHARE.awaited : SHARE.queued) * (free - 1));
  }

  /** Returns the delay of the next retry. Refused steps return one by one, as fast as slots become free. */
  function nextDelay({ payer, is_awaited }: Caller): number {
    const now = performance.now();
    for (const [key, time] of retryTimes) if (time < now) retryTimes.delete(key);
    const key = `${payer} ${is_awaited}`;
    const pauseMs = Math.max(meanMs / slots, now - releasedAt > meanMs ? STALLED_PAUSE_MS : 0);
    const time = Math.max(retryTimes.get(key) ?? 0, now + MIN_RETRY_MS) + pauseMs;
    retryTimes.set(key, time);
    return Math.min(time - now, MAX_RETRY_MS);
  }

  const refusal = (caller: Caller) =>
    ApplicationFailure.create({
      type: 'no_slot',
      message: `this worker has no free slot for more ${what}`,
      nextRetryDelay: Math.round(nextDelay(caller)),
    });

  return {
    hasSlotFor,
    refusal,
    claim(caller) {
      if (!hasSlotFor(caller)) throw refusal(caller);
      const started = performance.now();
      held.add(caller.payer, 1);
      return () => {
        held.add(caller.payer, -1);
        releasedAt = performance.now();
        meanMs += WEIGHT * (releasedAt - started - meanMs);
      };
    },
  };
}
