import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { waitDuring } from '../session-waits.ts';
import type { Waiter } from '../session-waits.ts';
import { findSession } from '../lookups/find-session.ts';
import type { OwnedSession } from '../lookups/find-session.ts';

/** A running call hears of it with its next heartbeat, and the session ends with what the call says of its costs. */
const END_TIMEOUT_MS = 10_000;

/** Stops a session through its workflow. Returns how it ended, or how it stands if it has not ended in time. */
export async function cancelSession(
  { temporal, waits }: Pick<ApiDeps, 'temporal' | 'waits'>,
  session: OwnedSession,
  waiter: Waiter,
): Promise<SessionModel> {
  const { id: sessionId } = session;
  await waitDuring(waits, { sessionId, timeoutMs: END_TIMEOUT_MS, ...waiter }, async (untilEnded) => {
    const { status, completed_at } = await findSession(session);
    if (completed_at !== null) throw new ApiError('conflict', `The session has ended already: it is ${status}.`);
    const isRunning = await callInTime(temporal, CALL_TIMEOUT_MS, () => cancelWorkflow(temporal, sessionId));
    await (isRunning ? untilEnded() : endUnstarted(sessionId));
  });
  return findSession(session);
}

/** Ends a session on which no workflow works: its start was lost, or is yet to come and will find nothing to do. */
export async function endUnstarted(id: string): Promise<void> {
  const isFirst = await SessionModel.transaction(async (trx) => {
    await VendorCallModel.closeLost(id, trx);
    return SessionModel.finish(id, { status: 'canceled' }, trx);
  });
  if (isFirst) sessionEnded.tell({ status: 'canceled' });
}
