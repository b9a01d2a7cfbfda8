import type { Session } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { SessionRun } from '../commands/session-run.ts';
import type { ApiDeps } from '../deps.ts';
import type { Reply } from '../http/handle.ts';
import { readPreference } from '../http/prefer.ts';
import { waitDuring } from '../session-waits.ts';
import type { Waiter } from '../session-waits.ts';
import { answerWithSession } from './answer-with-session.ts';

/** The time that the client is ready to wait for the result. */
export interface Patience extends Waiter {
  /** The client's `Prefer` header. */
  prefer: string | undefined;
}

/** The end of an earlier run can be heard of twice: by its notification, and by a re-check of all who wait. */
const MAX_LATE_NEWS = 2;

/** Starts a session and answers with it, waited for as the client prefers. */
export async function runSession(
  deps: Pick<ApiDeps, 'config' | 'waits'>,
  { sessionId, isReplay = false, isRetry = false, start }: SessionRun,
  { prefer, ...waiter }: Patience,
): Promise<Reply<Session>> {
  const { waitMs, applied } = readPreference(prefer, deps.config.http.waitMs);
  const deadline = Date.now() + waitMs;
  const wait = <T>(act: (untilEnded: () => Promise<void>) => Promise<T>) =>
    waitDuring(deps.waits, { sessionId, timeoutMs: Math.max(0, deadline - Date.now()), ...waiter }, act);
  const isDelayed = await wait(async (untilEnded) => {
    if ((await start()) === 'delayed') return true;
    if (!isReplay || !(await SessionModel.hasEnded(sessionId))) await untilEnded();
    return false;
  });
  for (let left = isRetry && !isDelayed ? MAX_LATE_NEWS : 0; left > 0 && Date.now() < deadline; left--) {
    if (waiter.signal.aborted) break;
    const isOver = await wait(
      async (untilEnded) => (await SessionModel.hasEnded(sessionId)) || untilEnded().then(() => false),
    );
    if (isOver) break;
  }
  return answerWithSession(deps, sessionId, {
    ...(applied !== undefined && { 'Preference-Applied': applied }),
    ...(isReplay && { 'Idempotent-Replayed': 'true' }),
  });
}
