/** Says that the store does not work now: it is full, not reachable or not allowed. The same call may work later. */
export class AudioStoreError extends Error {
  override name = 'AudioStoreError';
}

/** Says that the store works and has no such recording. */
export class AudioMissingError extends Error {
  override name = 'AudioMissingError';
}

/** Keys are ids of sessions, so that no key is ever a path, and a sweep touches no file that is not ours. */
const KEY = /^sess_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const isAudioKey = (name: string): boolean => KEY.test(name);

export function requireAudioKey(key: string): string {
  if (!isAudioKey(key)) throw new TypeError('a recording is kept under the id of its session');
  return key;
}

/** Throws an `AudioStoreError` that has `cause` as its cause. */
export function asStoreError(cause: unknown): never {
  throw new AudioStoreError('the audio store does not work', { cause });
}

/** Returns whether an error of the file system says that there is no such file. */
export const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
