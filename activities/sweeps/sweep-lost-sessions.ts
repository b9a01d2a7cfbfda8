import type { SessionError } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import { findLatestRun } from '../../runtime/temporal/runs.ts';
import type { LatestRun } from '../../runtime/temporal/runs.ts';
import { createEndSession } from '../sessions/end-session.ts';
import { probeVendors } from '../sessions/vendor-outage.ts';
import { wakeQueuedSessions } from '../sessions/wake-queued-sessions.ts';
import type { WakeQueuedSessionsDeps } from '../sessions/wake-queued-sessions.ts';
import { inCheckedBatches } from './in-checked-batches.ts';
import { sweepLostBatches } from './sweep-lost-batches.ts';

export type SweepLostSessionsDeps = WakeQueuedSessionsDeps;

export interface SweepReport {
  started: number;
  failed: number;
  /** Sessions that waited for a slot though one was free: the call of an end was lost, or there was none. */
  woken: number;
}

/** A session whose workflow runs is looked at again after this time, if it has not shown itself by then. */
const RECHECK_AFTER_S = { queued: 60, begun: 300 };

/**
 * Looks at the sessions whose workflow should have shown itself by now: their start was lost in a crash, or an operator
 * terminated it, or Temporal lost its data. The first and the last are started; a workflow that ended by force leaves a
 * failed session.
 */
export function createSweepLostSessions(deps: SweepLostSessionsDeps) {
  const { client, log } = deps;
  const endSession = createEndSession({ client });
  return async function sweepLostSessions(): Promise<SweepReport> {
    const report: SweepReport = { started: 0, failed: 0, woken: 0 };
    const check = async (session: SessionModel) => {
      const run = await findLatestRun(client, session.id);
      if (run.state === 'RUNNING') return;
      const isLost = isStartLost(session, run);
      if (isLost) await startSession(client, session);
      else await endSession({ session_id: session.id, end: { status: 'failed', error: terminated(session) } });
      report[isLost ? 'started' : 'failed'] += 1;
      log.warn({ session_id: session.id, workflow_state: run.state }, 'swept a session that no workflow worked on');
    };
    const setChecked = ({ id, status }: SessionModel) =>
      SessionModel.setChecked(id, RECHECK_AFTER_S[status === 'queued' ? 'queued' : 'begun']);
    await inCheckedBatches({ find: SessionModel.findOverdue, check, setChecked, log });
    await sweepLostBatches(deps);
    await probeVendors(deps);
    report.woken = await wakeQueuedSessions(deps);
    return report;
  };
}

/**
 * Returns whether the session's start was lost. A retry puts the row back into the queue before it starts the workflow,
 * so the run that failed before says nothing about the retry.
 */
function isStartLost({ status, queued_at }: SessionModel, { state, closedAt }: LatestRun): boolean {
  if (state === 'NOT_FOUND') return true;
  // A run that fails by itself also says so in the row. Comparing times alone would depend on two clocks.
  return status === 'queued' && (state === 'FAILED' || (closedAt !== undefined && closedAt < queued_at));
}

const terminated = (session: SessionModel): SessionError => ({
  code: 'terminated',
  stage: session.status === 'transcribing' ? 'transcription' : 'analysis',
  provider: null,
  message: 'the workflow of this session was ended from outside',
  retryable: true,
});
