import { API_BASE, PROVIDER_FAULTS } from '../../contract/values/constants.ts';
import type { Session, Turn } from '../../contract/sessions/sessions.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import { isDatabaseUnavailable } from '../../db/connect.ts';
import { SessionModel } from '../../db/models/session.ts';
import { findDetailedSession, type DetailedSession } from '../../db/queries/session-details.ts';
import type { ApiDeps } from '../deps.ts';
import { type ApiError, refusal } from '../errors.ts';
import type { Reply } from '../reply.ts';
import { replyWithSession } from './read-session.ts';

/** A session that is about to run, or to run again. */
export interface SessionRun {
  sessionId: string;
  /** The idempotency key was used before, so the session may exist in any state. */
  isReplay?: boolean;
  /** The session has ended before, so the notification of that end may still arrive. */
  isRetry?: boolean;
  /**
   * Starts the workflow. Resolves to `delayed` if a sweep will start it later, which is not worth waiting for.
   * @param isAwaited whether the client waits for the result.
   */
  start(isAwaited: boolean): Promise<void | 'delayed'>;
}

interface RunRequest {
  /** The `Prefer` header. */
  prefer: string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** The submitted turns; undefined: the response contains the stored ones. */
  conversation?: Turn[];
}

/** Starts a session. Returns a function that waits for its end, as long as the client prefers, and responds with it. */
export async function runSession(
  deps: Pick<ApiDeps, 'config' | 'waits'>,
  { sessionId, isReplay = false, isRetry = false, start }: SessionRun,
  { prefer, signal, conversation }: RunRequest,
): Promise<() => Promise<Reply<Session>>> {
  const { waitMs, applied } = readPreference(prefer, deps.config.http.waitMs);
  const deadline = performance.now() + waitMs;
  let wait = deps.waits.begin(sessionId, { timeoutMs: waitMs, signal });
  const isDelayed = (await start(waitMs > 0)) === 'delayed';
  if (isDelayed || (isReplay && (await SessionModel.hasEnded(sessionId)))) wait.cancel();
  return async () => {
    // The end of the run before a retry may be announced late. Only the row shows whether this run has ended.
    while ((await wait.ended) && isRetry) {
      wait = deps.waits.begin(sessionId, { timeoutMs: Math.max(0, deadline - performance.now()), signal });
      if (await SessionModel.hasEnded(sessionId)) wait.cancel();
    }
    const session = await readAccepted(sessionId, conversation);
    const headers = {
      ...(applied !== undefined && { 'Preference-Applied': applied }),
      ...(isReplay && { 'Idempotent-Replayed': 'true' }),
    };
    if (session.row.status !== 'failed') return replyWithSession(deps, session, headers);
    throw failed(sessionId, session.row.error, { ...location(sessionId), ...headers });
  };
}

/**
 * Reads `respond-async` and `wait=N` of the `Prefer` header. Unknown and malformed preferences are ignored: RFC 7240.
 * `applied` is the value of `Preference-Applied`; undefined if the client prefers nothing.
 */
function readPreference(
  header: string | undefined,
  maxWaitMs: number,
): { waitMs: number; applied: string | undefined } {
  const tokens = (header ?? '').split(',').map((token) => token.trim().toLowerCase());
  if (tokens.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  const [seconds] = tokens.flatMap((token) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(token)?.[1] ?? []);
  if (seconds === undefined) return { waitMs: maxWaitMs, applied: undefined };
  const waitMs = Math.min(Number(seconds) * 1_000, maxWaitMs);
  return { waitMs, applied: `wait=${waitMs / 1_000}` };
}

const RETRY_AFTER_S = 5;

/** The router sets `Location` only for successes. */
const location = (id: string) => ({ Location: `${API_BASE}/v1/sessions/${id}` });

/** Reads an accepted session. During an outage the error names the session, so that the client does not submit it twice. */
async function readAccepted(id: string, conversation: Turn[] | undefined): Promise<DetailedSession> {
  try {
    const session = await findDetailedSession(id, conversation);
    if (session) return session;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    const extras = { session_id: id, headers: location(id), retryAfterS: RETRY_AFTER_S };
    throw refusal('accepted', { session: id }, extras);
  }
  throw refusal('not_started', { retryAfterS: RETRY_AFTER_S });
}

function failed(session_id: string, error: SessionError | null, headers: Record<string, string>): ApiError {
  const { code = 'internal', message = '', ...said } = error ?? {};
  const extras = { stage: 'analysis', provider: null, retryable: true, ...said, session_id, headers } as const;
  const { stage } = extras;
  if (code === 'budget_exceeded') return refusal(code, { stage }, extras);
  if (code === 'audio_unreachable' || code === 'audio_rejected') return refusal(code, { problem: message }, extras);
  const isProviderFault = PROVIDER_FAULTS.some((fault) => fault === code);
  return refusal(isProviderFault ? 'provider_failed' : 'internal_error:session', { stage, problem: message }, extras);
}
