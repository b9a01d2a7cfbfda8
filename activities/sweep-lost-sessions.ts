import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { SessionError } from '../contract/sessions.ts';
import { SessionModel } from '../db/models/session.ts';
import type { Log } from '../runtime/log.ts';
import { startSession } from '../runtime/start-session.ts';
import { endSession } from './end-session.ts';

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
  return async function sweepLostSessions(): Promise<SweepReport> {
    const report: SweepReport = { started: 0, failed: 0 };
    for await (const session of SessionModel.findUnfinished(LOST_AFTER_S)) {
      const state = await findWorkflowState(client, session.id);
      if (state === 'RUNNING') continue;
      if (state === 'NOT_FOUND') {
        await startSession(client, session);
        report.started += 1;
      } else {
        await endSession({ session_id: session.id, end: { status: 'failed', error: terminated(session) } });
        report.failed += 1;
      }
      log.warn({ session_id: session.id, workflow_state: state }, 'swept a session that no workflow worked on');
    }
    return report;
  };
}

async function findWorkflowState(client: Client, workflowId: string): Promise<string> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
    throw error;
  }
}

const terminated = (session: SessionModel): SessionError => ({
  code: 'terminated',
  stage: session.status === 'transcribing' ? 'transcription' : 'analysis',
  provider: null,
  message: 'the workflow of this session was ended from outside',
  retryable: true,
});
