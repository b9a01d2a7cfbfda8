/** Stores recordings as files in one folder, on a disk that API and worker share. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AudioMissingError, asStoreError, isAudioKey, isMissing, requireAudioKey, type AudioStore } from './store.ts';
import { findRoomOf, namesOlderThan, stageFile } from './stage-file.ts';

export function createFolderAudioStore(directory: string): AudioStore {
  const incoming = join(directory, 'incoming');
  const makeIncoming = () => mkdir(incoming, { recursive: true, mode: 0o700 }).catch(asStoreError);
  const pathOf = (key: string) => join(directory, requireAudioKey(key));

  const store: AudioStore = {
    async stage(source, signal) {
      await makeIncoming();
      const path = join(incoming, randomUUID());
      const digest = await stageFile(path, source, signal);
      return {
        ...digest,
        path,
        async keepAs(key) {
          await moveUnlessThere(path, pathOf(key)).catch(asStoreError);
          await syncFolder(directory).catch(asStoreError);
        },
        discard: () => rm(path, { force: true }),
      };
    },

    async open(key, { range, signal } = {}) {
      signal?.throwIfAborted();
      const file = await open(pathOf(key), 'r').catch(asMissing);
      return file.createReadStream({ ...range, ...(signal && { signal }) });
    },

    async useFile(key, use, signal) {
      signal?.throwIfAborted();
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

    async findRoom() {
      await makeIncoming();
      return findRoomOf(incoming);
    },

    async removeUnfinished(time) {
      for await (const name of namesOlderThan(incoming, time)) await rm(join(incoming, name), { force: true });
    },
  };
  return store;
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Keeps an existing file, because a provider upload may be reading it. A rename would replace it. */
async function moveUnlessThere(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NO_LINKS.includes(code)) return rename(from, to);
    if (code !== 'EEXIST') throw error;
  }
  await rm(from, { force: true });
}

/** Syncs a folder. A new file is durable only after its folder is synced. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function asMissing(error: unknown): never {
  if (isMissing(error)) throw new AudioMissingError('the store has no such recording');
  return asStoreError(error);
}
