import { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { waitDuring } from '../session-waits.ts';
import type { Waiter } from '../session-waits.ts';

export interface OwnedSession {
  userId: string;
  id: string;
}

export async function findSession({ userId, id }: OwnedSession): Promise<SessionModel> {
  const row = await SessionModel.findOwned(userId, id);
  if (!row) throw new ApiError('not_found', 'No session of yours has this id.');
  return row;
}

/**
 * Returns the session when it has ended, or as it stands when the time is over, `signal` aborts or the process shuts
 * down.
 */
export async function findSessionAtEnd(
  { waits }: Pick<ApiDeps, 'waits'>,
  session: OwnedSession,
  { waitMs, ...waiter }: Waiter & { waitMs: number },
): Promise<SessionModel> {
  if (waitMs === 0) return findSession(session);
  return waitDuring(waits, { sessionId: session.id, timeoutMs: waitMs, ...waiter }, async (untilEnded) => {
    const row = await findSession(session);
    if (row.completed_at !== null) return row;
    await untilEnded();
    return findSession(session);
  });
}
