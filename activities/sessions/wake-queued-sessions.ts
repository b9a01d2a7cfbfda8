/** Wakes the sessions that wait for the end of others of their owner: docs/decisions.md, "Sessions in flight". */
import type { Client } from '@temporalio/client';
import { SIGNALS } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import { takeWakeable } from '../../db/queries/session-slots.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { signalWorkflow } from '../../runtime/temporal/runs.ts';

export interface WakeQueuedSessionsDeps {
  client: Client;
  log: Log;
  /** Sessions of one user that may be in flight. */
  maxSessionsInFlight: number;
}

/** Tells the sessions of a user, or of all users, that wait for a slot and may have one now; returns how many. */
export async function wakeQueuedSessions(
  { client, maxSessionsInFlight }: Omit<WakeQueuedSessionsDeps, 'log'>,
  userId?: string,
): Promise<number> {
  return tellSlotFree(client, await takeWakeable(maxSessionsInFlight, userId));
}

async function tellSlotFree(client: Client, ids: readonly string[]): Promise<number> {
  await Promise.all(ids.map((id) => signalWorkflow(client, id, SIGNALS.slotFree)));
  return ids.length;
}

/**
 * Returns an activity that wakes others after `activity` where that left its session ended: only an end makes room. Those
 * that the end itself took (`woken`) are told; else they are looked for. A call that is lost delays those who wait, and no more: they ask again by themselves, and the sweep calls them.
 */
export function wakesQueuedSessions<
  I extends { session_id: string },
  O extends { status: string; woken?: string[] } | void,
>(deps: WakeQueuedSessionsDeps, activity: (input: I) => Promise<O>): (input: I) => Promise<O> {
  return async (input) => {
    const outcome = await activity(input);
    if (outcome?.status === 'queued') return outcome;
    const { session_id } = input;
    try {
      if (outcome?.woken) {
        await tellSlotFree(deps.client, outcome.woken);
        return outcome;
      }
      const owner = await SessionModel.findOwner(session_id);
      if (owner !== undefined) await wakeQueuedSessions(deps, owner);
    } catch (err) {
      deps.log.warn({ err, session_id }, 'the sessions that wait for this one are not woken');
    }
    return outcome;
  };
}
