import type { Config } from '../settings/config.ts';
import { createFolderAudioStore } from './folder-store.ts';
import { createS3AudioStore } from './s3-store.ts';
import type { AudioStore } from './store.ts';

/** Returns the configured store: a folder or an S3 bucket. */
export function createAudioStore({ store }: Pick<Config['audio'], 'store'>): AudioStore {
  return store.kind === 's3' ? createS3AudioStore(store) : createFolderAudioStore(store.directory);
}
