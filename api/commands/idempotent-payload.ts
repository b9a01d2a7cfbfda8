/** What an `Idempotency-Key` stands for: docs/decisions.md, "Idempotency". */
import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';

/** Returns the digest of everything that makes a request what it is. */
export const hashPayload = (payload: readonly unknown[]) =>
  createHash('sha256').update(canonicalJson(payload)).digest();

/** Throws `idempotency_key_reused` where the key stands for another request. */
export function requireSamePayload(held: Buffer, payloadHash: Buffer): void {
  if (held.equals(payloadHash)) return;
  throw new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request within 24 hours. Send a new key with a new request.',
  );
}

/** Writes a value as JSON with sorted members, because the order of an object's members means nothing. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
