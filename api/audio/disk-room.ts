/** Keeps the disk that recordings arrive on from being filled, by one user or by all. */
import type { AudioStore } from '../../runtime/audio/store.ts';
import { createTally } from '../../runtime/tally.ts';
import { ApiError } from '../errors.ts';

export interface DiskRoom {
  /**
   * Takes room for a recording that arrives, of `bytes` at the most, and returns what gives it back. Throws
   * `unavailable` if the disk would be too full, or the user's recordings under way took more than half of what is left.
   */
  take(userId: string, bytes: number): Promise<() => void>;
  /** Returns whether there is no room for any recording. */
  isFull(): Promise<boolean>;
}

export interface DiskRoomDeps {
  audio: Pick<AudioStore, 'freeBytes'>;
  /** Bytes of the disk that stay free; 0: nobody looks. */
  minFreeBytes: number;
}

/** Seconds after which an upload that found no room may come again: removing recordings takes its time. */
const RETRY_AFTER_S = 60;

export function createDiskRoom({ audio, minFreeBytes }: DiskRoomDeps): DiskRoom {
  const arriving = createTally();
  const findRoom = async () => (minFreeBytes === 0 ? Infinity : (await audio.freeBytes()) - minFreeBytes);

  return {
    async take(userId, bytes) {
      const room = await findRoom();
      const isTaken = arriving.ofAll() + bytes > room || arriving.of(userId) + bytes > room / 2;
      if (isTaken) {
        throw new ApiError('unavailable', 'There is no room for the recording on the disk. Try again later.', {
          headers: { 'Retry-After': String(RETRY_AFTER_S) },
        });
      }
      arriving.add(userId, bytes);
      return () => arriving.add(userId, -bytes);
    },
    isFull: async () => (await findRoom()) <= 0,
  };
}
