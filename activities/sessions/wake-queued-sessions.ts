/** Calls the sessions that wait for the end of others of their owner: docs/decisions.md, "Sessions in flight". */
import type { Client } from '@temporalio/client';
import { SIGNALS } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { signalWorkflow } from '../../runtime/temporal/runs.ts';

export interface WakeQueuedSessionsDeps {
  client: Client;
  log: Log;
  /** Of one user. */
  maxSessionsInFlight: number;
}

/**
 * An activity that may end a session, and then the call of those whose turn it is. A call that is lost delays them, and
 * no more: they ask again by themselves.
 */
export function wakesQueuedSessions<I extends { session_id: string }, O>(
  { client, log, maxSessionsInFlight }: WakeQueuedSessionsDeps,
  activity: (input: I) => Promise<O>,
): (input: I) => Promise<O> {
  return async (input) => {
    const outcome = await activity(input);
    const { session_id } = input;
    try {
      const next = await SessionModel.findWakeable(session_id, maxSessionsInFlight);
      await Promise.all(next.map((id) => signalWorkflow(client, id, SIGNALS.slotFree)));
    } catch (err) {
      log.warn({ err, session_id }, 'the sessions that wait for this one are not called');
    }
    return outcome;
  };
}
