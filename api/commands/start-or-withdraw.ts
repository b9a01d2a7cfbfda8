import { SessionModel } from '../../db/models/session.ts';
import { startSession } from '../../runtime/start-session.ts';
import type { ApiDeps } from '../deps.ts';

/** Under the 5 s in which a caller is told to try again. */
const START_TIMEOUT_MS = 3_000;

/**
 * The caller is told of a failed start only when the session is gone: an error after which it runs all the same would
 * be paid for twice. A start that timed out here and still reaches Temporal finds no session and ends.
 */
export async function startOrWithdraw({ temporal }: Pick<ApiDeps, 'temporal'>, session: SessionModel): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + START_TIMEOUT_MS, () => startSession(temporal, session));
  } catch (error) {
    if (await SessionModel.withdraw(session.id)) throw error;
  }
}
