import { failure } from '../../contract/errors/failures.ts';
import { UNBEGUN_SESSION_STATUSES, type SessionStatus, type Stage } from '../../contract/values/constants.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { startBatch, startSession } from '../../runtime/temporal/start.ts';
import type { LatestRun } from '../../runtime/temporal/runs.ts';
import { createEndSession } from '../sessions/end-session.ts';
import { checkOverdue, logFailure, LOST_AFTER_S, sweepRow, type SweepDeps } from './sweep-rows.ts';

/**
 * Returns the activity that checks overdue sessions and batches. If the start of the workflow was lost, or Temporal lost
 * its data, starts the workflow. If the workflow was terminated, the session fails.
 */
export function createSweepLostSessions(deps: SweepDeps) {
  const { client, log } = deps;
  const endSession = createEndSession({ client });
  return async function sweepLostSessions() {
    const report = { started: 0, failed: 0 };
    const check = async (session: SessionModel) => {
      const done = await sweepRow(deps, {
        id: session.id,
        isStartLost: (run) => isStartLost(session, run),
        start: () => startSession(client, session),
        stop: () => endSession({ session_id: session.id, end: { status: 'failed', error: terminated(session) } }),
      });
      if (done) report[done === 'started' ? 'started' : 'failed'] += 1;
    };
    await checkOverdue(SessionModel, check, log);
    for (const { id } of await BatchModel.findUnfinished(LOST_AFTER_S)) {
      const batch = { id, start: () => startBatch(client, id), stop: () => BatchModel.end(id, 'canceled') };
      await logFailure(log, id, () => sweepRow(deps, batch));
    }
    return report;
  };
}

/** A retry changes the session before it starts the workflow, so a run that failed earlier does not count. */
function isStartLost({ status, queued_at }: SessionModel, { state, closedAt }: LatestRun): boolean {
  // A run that fails also ends the session. Comparing only times would depend on two clocks.
  const isUnbegun = UNBEGUN_SESSION_STATUSES.some((unbegun) => unbegun === status);
  return isUnbegun && (state === 'FAILED' || (closedAt !== undefined && closedAt < queued_at));
}

const STAGE_OF: Partial<Record<SessionStatus, Stage>> = { fetching: 'fetch', transcribing: 'transcription' };

const terminated = (session: SessionModel): SessionError => ({
  code: 'terminated',
  stage: STAGE_OF[session.status] ?? 'analysis',
  provider: null,
  ...failure('run_terminated'),
  retryable: true,
});
