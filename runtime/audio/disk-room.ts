/** Limits how much of the disk recordings take while they arrive. docs/decisions.md, "Quotas". */
import { createTally } from '../tally.ts';
import type { AudioStore } from './store.ts';

export interface DiskRoom {
  /**
   * Reserves disk space for a recording of at most `bytes` and returns a function that releases it. Returns undefined if the
   * disk is too full, or the arriving recordings of the owner's workspaces would take more than half of the free space.
   */
  take(payer: string, bytes: number): Promise<(() => void) | undefined>;
  isFull(): Promise<boolean>;
}

interface DiskRoomDeps {
  audio: Pick<AudioStore, 'findRoom'>;
  /** Bytes of the disk that stay free; 0: no limit. */
  minFreeBytes: number;
}

export function createDiskRoom({ audio, minFreeBytes }: DiskRoomDeps): DiskRoom {
  const arriving = createTally();
  const findRoom = async () => (minFreeBytes === 0 ? Infinity : (await audio.findRoom()).freeBytes - minFreeBytes);

  return {
    async take(payer, bytes) {
      const room = await findRoom();
      if (arriving.ofAll() + bytes > room || arriving.of(payer) + bytes > room / 2) return undefined;
      arriving.add(payer, bytes);
      return () => arriving.add(payer, -bytes);
    },
    isFull: async () => (await findRoom()) <= 0,
  };
}
