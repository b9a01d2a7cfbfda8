import { setTimeout as sleep } from 'node:timers/promises';
import { SessionModel } from '../../db/models/session.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import { findWorkflowState } from '../../runtime/temporal/runs.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { findSession } from '../lookups/find-session.ts';
import type { OwnedSession } from '../lookups/find-session.ts';
import type { SessionRun } from './session-run.ts';
import { requireQueueRoom } from './store-and-start.ts';

const RECHECK_MS = 50;

type Deps = Pick<ApiDeps, 'config' | 'log' | 'temporal'>;

/** Prepares to run a failed session again from the step that failed. Of several retries at once, one is accepted. */
export async function retrySession(deps: Deps, session: OwnedSession): Promise<SessionRun> {
  const found = await findSession(session);
  if (!isRetryable(found)) throw refusal(found);
  await requireQueueRoom(deps, found.user_id);
  return { sessionId: session.id, isRetry: true, start: () => requeueAndStart(deps, session) };
}

async function requeueAndStart(deps: Deps, session: OwnedSession): Promise<void | 'delayed'> {
  const row = await SessionModel.requeue(session.id);
  if (!row) throw refusal(await findSession(session));
  try {
    await callInTime(deps.temporal, CALL_TIMEOUT_MS, () => startAfterLastRun(deps, row));
  } catch (err) {
    // It stays in the queue, where the sweep finds it.
    deps.log.warn({ err, session_id: row.id }, 'a retried session is not started yet');
    return 'delayed';
  }
}

const isRetryable = ({ status, type, audio, transcript }: SessionModel) =>
  status === 'failed' && (type === 'text' || audio !== null || transcript !== null);

/** Returns the error for a session that can't be retried, or not any more when it was to be put into the queue. */
function refusal({ status }: SessionModel): ApiError {
  const detail =
    status === 'failed'
      ? 'The recording of this session is removed, and there is no transcript of it.'
      : `Only a failed session can be retried; this one is ${status}.`;
  return new ApiError('conflict', detail);
}

/**
 * Starts the workflow anew. The run that failed may be about to close: as long as it is open, no other can start under
 * its id.
 */
async function startAfterLastRun({ temporal }: Deps, row: SessionModel): Promise<void> {
  for (const deadline = Date.now() + CALL_TIMEOUT_MS; Date.now() < deadline; await sleep(RECHECK_MS)) {
    if ((await findWorkflowState(temporal, row.id)) === 'RUNNING') continue;
    return startSession(temporal, row);
  }
}
