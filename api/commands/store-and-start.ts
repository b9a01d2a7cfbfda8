import { SessionModel } from '../../db/models/session.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import type { StartableSession } from '../../runtime/temporal/start-session.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { requireStorageQuota } from './stored-audio.ts';

/** Seconds after which a user whose queue is full may try again: by then some sessions have ended. */
const RETRY_AFTER_S = 30;

type Deps = Pick<ApiDeps, 'config' | 'temporal'>;

/**
 * Stores a session and starts its workflow; one that is there already and has begun is left as it is. The caller is told
 * of a failed start only when the session is gone: an error after which it runs all the same would be paid for twice. A
 * start that timed out here and still reaches Temporal finds no session and ends.
 */
export async function storeAndStart(
  { config, temporal }: Deps,
  row: Partial<SessionModel> & StartableSession,
): Promise<void> {
  const { maxQueuedSessions } = config.http;
  const queued = await insertWithinQuota(config, row);
  if (queued === undefined && (await SessionModel.findStatus(row.id)) !== 'queued') return;
  if (queued === maxQueuedSessions && (await SessionModel.withdraw(row.id))) throw queueIsFull(maxQueuedSessions);
  await startStored({ temporal }, row);
}

/** Returns what `SessionModel.insertNew` does. Throws `quota_exceeded`, and stores nothing, if the recording is too much. */
async function insertWithinQuota(config: Deps['config'], row: Parameters<typeof storeAndStart>[1]) {
  const { maxQueuedSessions } = config.http;
  if (!row.audio) return SessionModel.insertNew(row, maxQueuedSessions);
  return SessionModel.transaction(async (trx) => {
    const queued = await SessionModel.insertNew(row, maxQueuedSessions, trx);
    if (queued !== undefined) await requireStorageQuota({ config }, row.user_id, { trx });
    return queued;
  });
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

/** Throws `rate_limited` if as many sessions of the user are queued as may be. */
export async function requireQueueRoom({ config }: Pick<Deps, 'config'>, userId: string): Promise<void> {
  const { maxQueuedSessions } = config.http;
  if ((await SessionModel.countQueued(userId, maxQueuedSessions)) === maxQueuedSessions) {
    throw queueIsFull(maxQueuedSessions);
  }
}

const queueIsFull = (most: number) =>
  new ApiError('rate_limited', `${most} of your sessions wait to begin, which is as many as may. Try again later.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
