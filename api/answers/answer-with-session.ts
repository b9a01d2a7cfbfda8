import { API_BASE, VENDOR_FAULTS } from '../../contract/constants.ts';
import type { Session, SessionError } from '../../contract/sessions.ts';
import { isDatabaseUnavailable } from '../../db/connect.ts';
import { findDetailedSession } from '../../db/queries/session-details.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import type { Reply } from '../http/handle.ts';
import { replyWithSession } from './show-session.ts';

/** Errors too say where the session is; the router says it with the others. */
const location = (id: string) => ({ Location: `${API_BASE}/v1/sessions/${id}` });

/** Returns the answer to a submitted conversation, its result or where it will be found; throws for one that failed. */
export async function answerWithSession(
  deps: Pick<ApiDeps, 'config'>,
  id: string,
  headers: Record<string, string> = {},
): Promise<Reply<Session>> {
  const session = await readAccepted(id);
  const { status, error } = session.row;
  if (status === 'failed') throw failed(id, error, { ...location(id), ...headers });
  return replyWithSession(deps, session, headers);
}

/** Reads a session that is accepted by now: a client that took an outage for a refusal would submit it twice. */
async function readAccepted(id: string): Promise<DetailedSession> {
  try {
    const session = await findDetailedSession(id);
    if (session) return session;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    const detail = `The conversation is accepted as ${id} and its analysis goes on. Read it from there in a few seconds.`;
    throw new ApiError('unavailable', detail, { session_id: id, headers: { ...location(id), 'Retry-After': '5' } });
  }
  const detail = 'The session could not be started, or was deleted meanwhile. Submit it again in a few seconds.';
  throw new ApiError('unavailable', detail, { headers: { 'Retry-After': '5' } });
}

function failed(session_id: string, error: SessionError | null, headers: Record<string, string>): ApiError {
  const { code = 'internal', stage = 'analysis', provider = null, retryable = true, message = '' } = error ?? {};
  const extras = { session_id, stage, provider, retryable, headers };
  if (code === 'budget_exceeded') {
    const detail = `The ${stage} was not begun: ${message}. Raise it with PATCH /user/me, then retry the session.`;
    return new ApiError(code, detail, extras);
  }
  const isVendorFault = VENDOR_FAULTS.some((fault) => fault === code);
  const detail = isVendorFault
    ? `The ${stage} failed: ${message}.`
    : `The ${stage} ended without a result: ${message}.`;
  return new ApiError(isVendorFault ? 'provider_failed' : 'internal_error', detail, extras);
}
