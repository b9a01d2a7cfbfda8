import { eraseSession } from '../../db/queries/erase-session.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import type { ApiDeps } from '../deps.ts';
import { findSession } from '../lookups/find-session.ts';
import type { OwnedSession } from '../lookups/find-session.ts';

/**
 * Removes the recording and every text of a session, and stops what runs of it. The recording goes first: should the
 * store refuse, the session is still there to be deleted again.
 */
export async function deleteSession(
  { audio, temporal, log }: Pick<ApiDeps, 'audio' | 'temporal' | 'log'>,
  session: OwnedSession,
): Promise<void> {
  const { id, type } = await findSession(session);
  // Whatever the row says of it: a recording lies under the id of its session.
  if (type === 'voice') await audio.remove(id);
  const workflowIds = (await eraseSession(id)) ?? [];
  await Promise.all(
    workflowIds.map(async (workflowId) => {
      try {
        await callInTime(temporal, CALL_TIMEOUT_MS, () => cancelWorkflow(temporal, workflowId));
      } catch (err) {
        // It finds nothing at its next step, and ends.
        log.warn({ err, session_id: id, workflow_id: workflowId }, 'a deleted session is not stopped yet');
      }
    }),
  );
}
