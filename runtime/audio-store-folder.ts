/** Recordings as files of one folder, on a disk that API and worker share. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asStoreError, stageFile } from './stage-file.ts';
import { AudioMissingError, isAudioKey, requireAudioKey } from './audio-errors.ts';
import type { AudioStore } from './audio-store.ts';

export function createFolderAudioStore(directory: string): AudioStore {
  const incoming = join(directory, 'incoming');
  const pathOf = (key: string) => join(directory, requireAudioKey(key));

  const store: AudioStore = {
    async stage(source, signal, options) {
      await mkdir(incoming, { recursive: true, mode: 0o700 }).catch(asStoreError);
      const path = join(incoming, randomUUID());
      const digest = await stageFile(path, source, signal, options);
      return {
        ...digest,
        path,
        async keepAs(key) {
          await rename(path, pathOf(key)).catch(asStoreError);
          await syncFolder(directory).catch(asStoreError);
        },
        discard: () => rm(path, { force: true }),
      };
    },

    put: (key, source, signal) => putStaged(store, key, source, signal),

    async open(key, range) {
      const file = await open(pathOf(key), 'r').catch(asMissing);
      return file.createReadStream({ ...range });
    },

    async useFile(key, use) {
      const path = pathOf(key);
      await access(path, constants.R_OK).catch(asMissing);
      return use(path);
    },

    async remove(key) {
      await rm(pathOf(key), { force: true }).catch(asStoreError);
    },

    async *listOlderThan(time) {
      for await (const name of namesOlderThan(directory, time)) if (isAudioKey(name)) yield name;
    },

    async removeUnfinished(time) {
      for await (const name of namesOlderThan(incoming, time)) await rm(join(incoming, name), { force: true });
    },
  };
  return store;
}

/** What every store's `put` is. */
export async function putStaged(store: AudioStore, ...[key, source, signal]: Parameters<AudioStore['put']>) {
  requireAudioKey(key);
  const staged = await store.stage(source, signal);
  try {
    await staged.keepAs(key);
    return { bytes: staged.bytes, sha256: staged.sha256 };
  } finally {
    await staged.discard();
  }
}

/** Names of what was last written before `time`; none where there is no such folder yet. */
export async function* namesOlderThan(directory: string, time: Date): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(orUndefinedIfMissing);
  if (!entries) return;
  for await (const { name } of entries) {
    const found = await stat(join(directory, name)).catch(orUndefinedIfMissing);
    if (found && found.mtime < time) yield name;
  }
}

/** The renamed entry is on disk only when its folder is. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

function asMissing(error: unknown): never {
  if (isMissing(error)) throw new AudioMissingError('the store has no such recording');
  return asStoreError(error);
}

function orUndefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) return asStoreError(error);
}
