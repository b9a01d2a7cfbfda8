/** The store of recordings: a folder or S3. Recordings are streamed, never held in memory. */
import type { Readable } from 'node:stream';

export interface AudioDigest {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A recording on this machine that is not in the store yet, so it can be inspected first. */
export interface StagedAudio extends AudioDigest {
  /** A local file, deleted by `keepAs` and `discard`. */
  path: string;
  /** Stores the recording completely or not at all. An existing recording with the key is kept, because it has the same bytes. */
  keepAs(key: string, signal?: AbortSignal): Promise<void>;
  /** Deletes the local file. Does nothing after `keepAs`. */
  discard(): Promise<void>;
}

/** Both ends are inclusive; `end` may be beyond the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Keys are session IDs. Every call has a time limit. Throws `AudioMissingError` for an unknown key, `AudioStoreError` if the store does
 * not work, and errors of the source or signal unchanged.
 */
export interface AudioStore {
  /** Writes a recording to a temporary file. A failure leaves nothing behind. */
  stage(source: Readable, signal: AbortSignal): Promise<StagedAudio>;
  /** Opens a recording or a part of it. The signal also ends the stream. */
  open(key: string, options?: { range?: ByteRange | undefined; signal?: AbortSignal }): Promise<Readable>;
  /** Provides the recording as a local file while `use` runs. The signal cancels the copying, not `use`. */
  useFile<T>(key: string, use: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Deletes a recording. Does nothing for an unknown key. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /** Yields the keys of recordings stored before `time`. */
  listOlderThan(time: Date): AsyncIterable<string>;
  /** Returns the size and the free bytes of the local disk where recordings arrive. */
  findRoom(): Promise<{ bytes: number; freeBytes: number }>;
  /** Deletes temporary files on this machine that crashed processes left before `time`. */
  removeUnfinished(time: Date): Promise<void>;
}

/** The store does not work now: full, unreachable or access denied. The same call may succeed later. */
export class AudioStoreError extends Error {
  override name = 'AudioStoreError';
}

/** The store works but has no such recording. */
export class AudioMissingError extends Error {
  override name = 'AudioMissingError';
}

/** Keys are session IDs, so a key is never a path and sweeps ignore other files. */
const KEY = /^sess_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const isAudioKey = (name: string): boolean => KEY.test(name);

/** Key of the text that tells to which installation a store belongs: db/check-installation.ts. */
export const INSTALLATION_KEY = 'installation';

export function requireAudioKey(key: string): string {
  if (!isAudioKey(key) && key !== INSTALLATION_KEY)
    throw new TypeError('a recording is kept under the id of its session');
  return key;
}

/** Throws an `AudioStoreError` with the given cause. */
export function asStoreError(cause: unknown): never {
  throw new AudioStoreError('the audio store does not work', { cause });
}

/** Returns whether a file system error means that the file does not exist. */
export const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
