import type { Session } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { ApiDeps } from '../deps.ts';
import type { Reply } from '../http/handle.ts';
import { readPreference } from '../http/prefer.ts';
import { answerWithSession } from './answer-with-session.ts';
import type { SessionClaim } from './claim-session.ts';

export interface SessionToRun extends SessionClaim {
  /** The client's `Prefer` header. */
  prefer: string | undefined;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/** Starts a session and answers with it, waited for as the client prefers. */
export async function runSession(
  deps: Pick<ApiDeps, 'config' | 'waits'>,
  { sessionId, isReplay, prefer, signal }: SessionToRun,
  start: () => Promise<void>,
): Promise<Reply<Session>> {
  const { waitMs, applied } = readPreference(prefer, deps.config.http.waitMs);
  // Before it starts: its end must not come in between.
  const enough = new AbortController();
  const ended = waitMs > 0 ? deps.waits.wait(sessionId, waitMs, AbortSignal.any([signal, enough.signal])) : undefined;
  try {
    await start();
    if (isReplay && (await SessionModel.hasEnded(sessionId))) enough.abort();
    await ended;
  } finally {
    enough.abort();
  }
  return answerWithSession(sessionId, {
    ...(applied !== undefined && { 'Preference-Applied': applied }),
    ...(isReplay && { 'Idempotent-Replayed': 'true' }),
  });
}
