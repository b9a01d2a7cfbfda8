/** `Idempotency-Key`: docs/decisions.md, "Idempotency". */
import { createHash } from 'node:crypto';
import { typeid } from 'typeid-js';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { SessionModel } from '../../db/models/session.ts';
import { PAYER } from '../../db/models/workspace.ts';
import { refusal } from '../errors.ts';

/** Who sends a request with a key. */
export interface KeySender {
  workspaceId: string;
  idempotencyKey: string | undefined;
  /** Creator of the session, if the caller may read only own sessions: then the key replays nobody else's session. */
  ownedBy: string | undefined;
}

interface SessionClaim {
  sessionId: string;
  /** The key was used before, so the session may exist in any state. */
  isReplay: boolean;
}

/**
 * Returns the ID of the session to run: a new one, or the one that belongs to the key. The key is stored before the
 * session. If the process stops in between, a request with the same key creates the session under the same ID.
 * @param payload everything that identifies the request.
 */
export async function claimSession(sender: KeySender, payload: readonly unknown[]): Promise<SessionClaim> {
  const { workspaceId, idempotencyKey: key } = sender;
  const sessionId = typeid('sess').toString();
  if (key === undefined) return { sessionId, isReplay: false };
  const payload_hash = hashOf(sender, payload);
  const row = { workspace_id: workspaceId, key, payload_hash, session_id: sessionId };
  const claim = await IdempotencyKeyModel.claim(row);
  requireSamePayload(claim.payload_hash, payload_hash, shownTo(sender, claim));
  return { sessionId: claim.session_id, isReplay: claim.session_id !== sessionId };
}

/** Returns the stored session that belongs to the key. It is found even if its assistant was deleted since. */
export async function findReplayed(sender: KeySender, payload: readonly unknown[]): Promise<SessionModel | undefined> {
  const { workspaceId, idempotencyKey: key } = sender;
  const claim = key === undefined ? undefined : await IdempotencyKeyModel.findLive(workspaceId, key);
  if (!claim) return undefined;
  requireSamePayload(claim.payload_hash, hashOf(sender, payload), shownTo(sender, claim));
  return SessionModel.query().select(STARTABLE_COLUMNS).findOne({ id: claim.session_id, workspace_id: workspaceId });
}

const hashOf = ({ ownedBy }: KeySender, payload: readonly unknown[]) =>
  hashPayload(ownedBy === undefined ? payload : [...payload, ownedBy]);

/** A caller that reads only own sessions receives no ID of another one. */
const shownTo = ({ ownedBy }: KeySender, claim: { session_id: string }) => (ownedBy === undefined ? claim : undefined);

const STARTABLE_COLUMNS = [
  'id',
  'workspace_id',
  'assistant_id',
  'type',
  'status',
  'redaction',
  SessionModel.raw(PAYER),
];

/** Returns whether the key was used before. The recording of such a request is already stored. */
export async function isKeyKnown(workspaceId: string, key: string | undefined): Promise<boolean> {
  return key !== undefined && (await IdempotencyKeyModel.findLive(workspaceId, key)) !== undefined;
}

/**
 * Returns a hash of everything that identifies a request. The order of an object's members does not matter, and what is
 * undefined does not count, so that a release can add an optional property.
 */
export function hashPayload(payload: readonly unknown[]): Buffer {
  const given = payload.filter((each) => each !== undefined);
  const json = JSON.stringify(given, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return createHash('sha256').update(json).digest();
}

/**
 * Throws `idempotency_key_reused` if the key belongs to another request.
 * @param first the session of that request; undefined: it created something else.
 */
export function requireSamePayload(stored: Buffer, payloadHash: Buffer, first?: { session_id: string }): void {
  if (stored.equals(payloadHash)) return;
  throw refusal('idempotency_key_reused', first && { session_id: first.session_id });
}
