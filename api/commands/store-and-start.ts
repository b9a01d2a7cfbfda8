import { SessionModel } from '../../db/models/session.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import type { StartableSession } from '../../runtime/temporal/start-session.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Stores a session and starts its workflow; one that is there already and has begun is left as it is. The caller is told
 * of a failed start only when the session is gone: an error after which it runs all the same would be paid for twice. A
 * start that timed out here and still reaches Temporal finds no session and ends.
 */
export async function storeAndStart(
  { temporal }: Pick<ApiDeps, 'temporal'>,
  row: Partial<SessionModel> & StartableSession,
): Promise<void> {
  if (!(await SessionModel.insertNew(row)) && (await SessionModel.findStatus(row.id)) !== 'queued') return;
  await startStored({ temporal }, row);
}

/** Returns the run of a session that was submitted before. It is started only if it has not begun: a start may be lost. */
export function replayOf(deps: Pick<ApiDeps, 'temporal'>, row: SessionModel) {
  const start = async () => {
    if (row.status === 'queued') await startStored(deps, row);
  };
  return { sessionId: row.id, isReplay: true, start };
}

/** Starts the workflow of a session that is stored and queued; if that fails, the session goes, or runs all the same. */
async function startStored({ temporal }: Pick<ApiDeps, 'temporal'>, row: StartableSession): Promise<void> {
  try {
    await callInTime(temporal, CALL_TIMEOUT_MS, () => startSession(temporal, row));
  } catch (error) {
    if (await SessionModel.withdraw(row.id)) throw error;
  }
}
