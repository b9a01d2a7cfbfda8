import type { Session } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import type { Reply } from '../http/handle.ts';
import { readPreference } from '../http/prefer.ts';
import { waitDuring } from '../session-waits.ts';
import { answerWithSession } from './answer-with-session.ts';
import type { SessionClaim } from '../commands/claim-session.ts';

export interface SessionToRun extends SessionClaim {
  /** It ended before and begins anew: what is heard of it may still be that end. */
  isRetry?: boolean;
  /** The client's `Prefer` header. */
  prefer: string | undefined;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/** The end of an earlier run can be heard of twice: by its notification, and by a re-check of all who wait. */
const MAX_LATE_NEWS = 2;

/** Starts a session and answers with it, waited for as the client prefers. */
export async function runSession(
  deps: Pick<ApiDeps, 'config' | 'waits'>,
  { sessionId, isReplay, isRetry = false, prefer, signal }: SessionToRun,
  start: () => Promise<void>,
): Promise<Reply<Session>> {
  const { waitMs, applied } = readPreference(prefer, deps.config.http.waitMs);
  const deadline = Date.now() + waitMs;
  const wait = <T>(act: (ended: Promise<void>) => Promise<T>) =>
    waitDuring(deps.waits, { sessionId, timeoutMs: Math.max(0, deadline - Date.now()), signal }, act);
  await wait(async (ended) => {
    await start();
    if (!isReplay || !(await SessionModel.hasEnded(sessionId))) await ended;
  });
  for (let left = isRetry ? MAX_LATE_NEWS : 0; left > 0 && Date.now() < deadline && !signal.aborted; left--) {
    const isOver = await wait(async (ended) => (await SessionModel.hasEnded(sessionId)) || ended.then(() => false));
    if (isOver) break;
  }
  return answerWithSession(sessionId, {
    ...(applied !== undefined && { 'Preference-Applied': applied }),
    ...(isReplay && { 'Idempotent-Replayed': 'true' }),
  });
}
