/** The free space of the disks that an installation fills. */
import { createAudioStore } from '../audio/create-store.ts';
import { findRoomOf } from '../audio/stage-file.ts';
import type { Config } from '../settings/config.ts';

export interface FreeBytes {
  /** Of the disk where recordings arrive; null if it can't be read. */
  recordings: number | null;
  /** Null if no folder on the disk of PostgreSQL is known. */
  database: number | null;
}

export function createFreeBytes(config: Pick<Config, 'audio' | 'database'>): () => Promise<FreeBytes> {
  const audio = createAudioStore(config.audio);
  const { disk } = config.database;
  return async () => ({
    recordings: await audio.findRoom().then(
      ({ freeBytes }) => freeBytes,
      () => null,
    ),
    database:
      disk === undefined
        ? null
        : await findRoomOf(disk).then(
            ({ freeBytes }) => freeBytes,
            () => null,
          ),
  });
}
