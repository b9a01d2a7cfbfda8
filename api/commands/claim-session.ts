import { typeid } from 'typeid-js';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { SessionModel } from '../../db/models/session.ts';
import { hashPayload, requireSamePayload } from './idempotent-payload.ts';

export interface SessionClaim {
  sessionId: string;
  /** True if the key was used before, so that the session may exist already, in any state. */
  isReplay: boolean;
}

/**
 * Returns the id of the session to run: a new one, or the one that the client's key stands for. The row of the key
 * comes before the session's, so whoever brings the key again after a crash in between creates what is missing under
 * the same id.
 * @param payload everything that makes the request what it is.
 */
export async function claimSession(
  userId: string,
  key: string | undefined,
  payload: readonly unknown[],
): Promise<SessionClaim> {
  const sessionId = typeid('sess').toString();
  if (key === undefined) return { sessionId, isReplay: false };
  const payload_hash = hashPayload(payload);
  const claim = await IdempotencyKeyModel.claim({ user_id: userId, key, payload_hash, session_id: sessionId });
  requireSamePayload(claim.payload_hash, payload_hash);
  return { sessionId: claim.session_id, isReplay: claim.session_id !== sessionId };
}

/**
 * Returns the session that the client's key stands for, if it is stored. So a replay is answered as before also after the
 * assistant was deleted, which nothing can be submitted to any more.
 */
export async function findReplayed(
  userId: string,
  key: string | undefined,
  payload: readonly unknown[],
): Promise<SessionModel | undefined> {
  const claim = key === undefined ? undefined : await IdempotencyKeyModel.findLive(userId, key);
  if (!claim) return undefined;
  requireSamePayload(claim.payload_hash, hashPayload(payload));
  return SessionModel.query().select(STARTABLE_COLUMNS).findOne({ id: claim.session_id, user_id: userId });
}

const STARTABLE_COLUMNS = ['id', 'user_id', 'assistant_id', 'type', 'status'];
