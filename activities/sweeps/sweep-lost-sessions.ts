import type { Client } from '@temporalio/client';
import type { SessionError } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import { findLatestRun } from '../../runtime/temporal/runs.ts';
import type { LatestRun } from '../../runtime/temporal/runs.ts';
import { createEndSession } from '../sessions/end-session.ts';

export interface SweepLostSessionsDeps {
  client: Client;
  log: Log;
}

export interface SweepReport {
  started: number;
  failed: number;
}

/** A start takes milliseconds; what is still queued after this time deserves a look. */
const LOST_AFTER_S = 60;

/**
 * Sessions that no workflow works on: their start was lost in a crash, or an operator terminated it, or Temporal lost
 * its data. The first and the last are started; a workflow that ended by force leaves a failed session.
 */
export function createSweepLostSessions({ client, log }: SweepLostSessionsDeps) {
  const endSession = createEndSession({ client });
  return async function sweepLostSessions(): Promise<SweepReport> {
    const report: SweepReport = { started: 0, failed: 0 };
    for await (const session of SessionModel.findUnfinished(LOST_AFTER_S)) {
      const run = await findLatestRun(client, session.id);
      if (run.state === 'RUNNING') continue;
      if (isStartLost(session, run)) {
        await startSession(client, session);
        report.started += 1;
      } else {
        await endSession({ session_id: session.id, end: { status: 'failed', error: terminated(session) } });
        report.failed += 1;
      }
      log.warn({ session_id: session.id, workflow_state: run.state }, 'swept a session that no workflow worked on');
    }
    return report;
  };
}

/** A retry puts the row back into the queue and then starts it: the run that failed before it says nothing of it. */
function isStartLost({ status, queued_at }: SessionModel, { state, closedAt }: LatestRun): boolean {
  if (state === 'NOT_FOUND') return true;
  // A run that fails on its own says so in the row; comparing times would depend on two clocks.
  return status === 'queued' && (state === 'FAILED' || (closedAt !== undefined && closedAt < queued_at));
}

const terminated = (session: SessionModel): SessionError => ({
  code: 'terminated',
  stage: session.status === 'transcribing' ? 'transcription' : 'analysis',
  provider: null,
  message: 'the workflow of this session was ended from outside',
  retryable: true,
});
