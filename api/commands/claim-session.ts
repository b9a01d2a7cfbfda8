import { createHash } from 'node:crypto';
import { typeid } from 'typeid-js';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ApiError } from '../errors.ts';

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
  const payload_hash = hashOf(payload);
  const claim = await IdempotencyKeyModel.claim({ user_id: userId, key, payload_hash, session_id: sessionId });
  requireSame(claim, payload_hash);
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
  requireSame(claim, hashOf(payload));
  return SessionModel.query().select(STARTABLE_COLUMNS).findOne({ id: claim.session_id, user_id: userId });
}

const STARTABLE_COLUMNS = ['id', 'user_id', 'assistant_id', 'type', 'status'];

function requireSame(claim: IdempotencyKeyModel, payloadHash: Buffer): void {
  if (claim.payload_hash.equals(payloadHash)) return;
  throw new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request within 24 hours. Send a new key with a new request.',
  );
}

const hashOf = (payload: readonly unknown[]) => createHash('sha256').update(canonicalJson(payload)).digest();

/** Writes a value as JSON with sorted members, because the order of an object's members means nothing. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
