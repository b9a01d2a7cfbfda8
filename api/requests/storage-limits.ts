/** Limits the storage of recordings: free disk space, and a quota for each workspace. docs/decisions.md, "Quotas". */
import type { TransactionOrKnex } from 'objection';
import { SessionModel } from '../../db/models/session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import type { Config } from '../../runtime/config.ts';
import { createTally } from '../../runtime/tally.ts';
import { ApiError } from '../errors.ts';

export interface DiskRoom {
  /**
   * Reserves disk space for an upload of at most `bytes` and returns a function that releases it. Throws `unavailable` if
   * the disk is too full, or the uploads of the workspace would take more than half of the free space.
   */
  take(workspaceId: string, bytes: number): Promise<() => void>;
  isFull(): Promise<boolean>;
}

export interface DiskRoomDeps {
  audio: Pick<AudioStore, 'freeBytes'>;
  /** Bytes of the disk that stay free; 0: no limit. */
  minFreeBytes: number;
}

/** Removing recordings takes time. */
const RETRY_AFTER_S = 60;

export function createDiskRoom({ audio, minFreeBytes }: DiskRoomDeps): DiskRoom {
  const arriving = createTally();
  const findRoom = async () => (minFreeBytes === 0 ? Infinity : (await audio.freeBytes()) - minFreeBytes);

  return {
    async take(workspaceId, bytes) {
      const room = await findRoom();
      if (arriving.ofAll() + bytes > room || arriving.of(workspaceId) + bytes > room / 2) {
        throw new ApiError('unavailable', 'The disk has no room for the recording. Try again later.', {
          retryAfterS: RETRY_AFTER_S,
        });
      }
      arriving.add(workspaceId, bytes);
      return () => arriving.add(workspaceId, -bytes);
    },
    isFull: async () => (await findRoom()) <= 0,
  };
}

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
