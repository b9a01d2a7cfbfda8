/** The quota of each workspace for recordings. docs/decisions.md, "Quotas". */
import type { TransactionOrKnex } from 'objection';
import { SessionModel } from '../../db/models/session.ts';
import type { Config } from '../../runtime/config.ts';
import { ApiError } from '../errors.ts';

const MIB = 1024 * 1024;

/**
 * Throws `quota_exceeded` if the recordings of the workspace exceed its quota, or would with `added` more bytes.
 * @param trx the transaction that stored a recording and holds the lock of `insertWithinQuota`.
 */
export async function requireStorageQuota(
  { config }: { config: Pick<Config, 'quotas'> },
  workspaceId: string,
  { added = 0, trx }: { added?: number; trx?: TransactionOrKnex } = {},
): Promise<void> {
  const most = config.quotas.storedAudioBytes;
  if (most === Infinity || (await SessionModel.sumAudioBytes(workspaceId, trx)) + added <= most) return;
  const detail = `This recording would exceed the limit of ${most / MIB} MiB for your recordings. Delete sessions first.`;
  throw new ApiError('quota_exceeded', detail);
}
