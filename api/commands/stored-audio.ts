/** How many bytes of recordings a user may have stored. docs/decisions.md, "Quotas". */
import type { TransactionOrKnex } from 'objection';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { UserStorageModel } from '../../db/models/user-storage.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';

const MIB = 1024 * 1024;

/**
 * Throws `quota_exceeded` if the user's recordings have more bytes than they may, or would with `added` more.
 * @param trx the transaction that has stored a recording: the user's others wait for its end to store theirs.
 */
export async function requireStorageQuota(
  { config }: Pick<ApiDeps, 'config'>,
  userId: string,
  { added = 0, trx }: { added?: number; trx?: TransactionOrKnex } = {},
): Promise<void> {
  const most = config.quotas.storedAudioBytes;
  if (most === Infinity || (await UserStorageModel.audioBytes(userId, trx)) + added <= most) return;
  const detail = `Your recordings may take ${most / MIB} MiB, and with this one they would take more. Delete sessions first.`;
  throw new ApiError('quota_exceeded', detail);
}

/** Returns whether the client's key was used before: the recording of such a request is stored already. */
export async function isKeyKnown(userId: string, key: string | undefined): Promise<boolean> {
  return key !== undefined && (await IdempotencyKeyModel.findLive(userId, key)) !== undefined;
}
