/** Where recordings are kept: a folder, or S3. Nothing here holds a recording in memory. */
import type { Readable } from 'node:stream';

export interface AudioDigest {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A recording that is on this machine and not yet in the store: it can be looked at first. */
export interface StagedAudio extends AudioDigest {
  /** A local file; gone after `keepAs` or `discard`. */
  path: string;
  /** Puts it into the store, all of it or nothing. A key stands for the same bytes always: what is kept under it stays. */
  keepAs(key: string, signal?: AbortSignal): Promise<void>;
  /** Harmless after `keepAs`. */
  discard(): Promise<void>;
}

export interface StageOptions {
  /** The chunks of the source are nobody else's: the memory of each is freed when it is written. */
  isOwned?: boolean;
}

/** Both ends count; `end` may lie beyond the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Keys are ids of sessions. Every call ends in bounded time when the store says nothing. Throws `AudioMissingError` for a key that is not there, `AudioStoreError` when the store
 * does not work, and what the source or the signal threw when they are the cause.
 */
export interface AudioStore {
  /** Writes a recording aside. An aborted or failed one leaves nothing behind. */
  stage(source: Readable, signal: AbortSignal, options?: StageOptions): Promise<StagedAudio>;
  /** Does `stage` and `keepAs` in one. */
  put(key: string, source: Readable, signal: AbortSignal): Promise<AudioDigest>;
  /** Opens a recording or a part of it. The signal ends the stream too. */
  open(key: string, options?: { range?: ByteRange | undefined; signal?: AbortSignal }): Promise<Readable>;
  /** Lends the recording as a local file, for as long as `use` runs. The signal ends the copying, and not `use`. */
  useFile<T>(key: string, use: (path: string) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Harmless for a key that is not there. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /** Keys of what was stored before `time`. */
  listOlderThan(time: Date): AsyncIterable<string>;
  /** Returns how many bytes are free on the disk of this machine that a recording arrives on. */
  freeBytes(): Promise<number>;
  /** Removes what processes that died before `time` left on this machine while they stored something. */
  removeUnfinished(time: Date): Promise<void>;
}
