/** Calls the sessions that wait for the end of others of their owner: docs/decisions.md, "Sessions in flight". */
import type { Client } from '@temporalio/client';
import { SIGNALS } from '../contract/workflows.ts';
import { SessionModel } from '../db/models/session.ts';
import type { Log } from '../runtime/log.ts';
import { signalWorkflow } from '../runtime/workflow-state.ts';

export interface CallNextDeps {
  client: Client;
  log: Log;
  /** Of one user. */
  maxSessionsInFlight: number;
}

/**
 * An activity that may end a session, and then the call of those whose turn it is. A call that is lost delays them, and
 * no more: they ask again by themselves.
 */
export function callsNext<I extends { session_id: string }, O>(
  { client, log, maxSessionsInFlight }: CallNextDeps,
  activity: (input: I) => Promise<O>,
): (input: I) => Promise<O> {
  return async (input) => {
    const outcome = await activity(input);
    const { session_id } = input;
    try {
      const next = await SessionModel.findNext(session_id, maxSessionsInFlight);
      await Promise.all(next.map((id) => signalWorkflow(client, id, SIGNALS.turn)));
    } catch (err) {
      log.warn({ err, session_id }, 'the sessions that wait for this one are not called');
    }
    return outcome;
  };
}
