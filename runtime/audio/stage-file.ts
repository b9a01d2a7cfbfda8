/** Writes a stream to a new local file, measured on the way and safe on disk at the end. */
import { createHash } from 'node:crypto';
import { open, opendir, rm, stat, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { asStoreError, isMissing, requireAudioKey } from './errors.ts';
import type { AudioDigest, AudioStore, StageOptions } from './store.ts';

/** Writes a stream to a file and returns what was written; if that fails, the file is gone. */
export async function stageFile(
  path: string,
  source: Readable,
  signal: AbortSignal,
  { isOwned = false }: StageOptions = {},
): Promise<AudioDigest> {
  const file = await open(path, 'wx', 0o600).catch(asStoreError);
  try {
    const digest = await writeAll(file, source, signal, isOwned ? free : () => undefined);
    await file.sync().catch(asStoreError);
    await file.close();
    return digest;
  } catch (error) {
    source.destroy();
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes one chunk at a time: the next one is read when this one is written. */
async function writeAll(
  file: FileHandle,
  source: Readable,
  signal: AbortSignal,
  release: (chunk: Buffer<ArrayBuffer>) => void,
): Promise<AudioDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stop = () => source.destroy(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of source as AsyncIterable<Buffer<ArrayBuffer>>) {
      hash.update(chunk);
      bytes += chunk.length;
      await writeFully(file, chunk);
      release(chunk);
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Frees a chunk's memory at once. The collector would let tens of megabytes pile up before it looks, for each chunk is
 * a small object to it. A chunk that shares its memory with others, such as the next part of a form, stays.
 */
function free(chunk: Buffer<ArrayBuffer>): void {
  if (chunk.byteLength === chunk.buffer.byteLength) chunk.buffer.transfer(0);
}

async function writeFully(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    done += (await file.write(chunk, done).catch(asStoreError)).bytesWritten;
  }
}

/** Stages the source and keeps it: the `put` of every store. */
export async function putStaged(store: AudioStore, ...[key, source, signal]: Parameters<AudioStore['put']>) {
  requireAudioKey(key);
  const staged = await store.stage(source, signal);
  try {
    await staged.keepAs(key, signal);
    return { bytes: staged.bytes, sha256: staged.sha256 };
  } finally {
    await staged.discard();
  }
}

/** Yields the names of what was last written before `time`; none where there is no such folder yet. */
export async function* namesOlderThan(directory: string, time: Date): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(orUndefinedIfMissing);
  if (!entries) return;
  for await (const { name } of entries) {
    const found = await stat(join(directory, name)).catch(orUndefinedIfMissing);
    if (found && found.mtime < time) yield name;
  }
}

/** Returns how many bytes a process without privileges may still write to the file system of a folder. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory).catch(asStoreError);
  return bavail * bsize;
}

function orUndefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) return asStoreError(error);
}
