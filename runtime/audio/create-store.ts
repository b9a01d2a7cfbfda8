import type { Config } from '../config.ts';
import { createFolderAudioStore } from './folder-store.ts';
import { createS3AudioStore } from './s3-store.ts';
import type { AudioStore } from './store.ts';

/** Returns the store that the settings name: a folder, or a bucket of S3. */
export function createAudioStore({ store }: Pick<Config['audio'], 'store'>): AudioStore {
  return store.kind === 's3' ? createS3AudioStore(store) : createFolderAudioStore(store.directory);
}
