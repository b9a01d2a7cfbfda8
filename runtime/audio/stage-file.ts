/** Writes a stream to a new local file, computes its size and hash, and syncs it to disk. */
import { createHash } from 'node:crypto';
import { open, opendir, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { asStoreError, isMissing, type AudioDigest } from './store.ts';

/** Writes a stream to a file and returns its size and hash. If writing fails, deletes the file. */
export async function stageFile(path: string, source: Readable, signal: AbortSignal): Promise<AudioDigest> {
  const file = await open(path, 'wx', 0o600).catch(asStoreError);
  try {
    const digest = await writeAll(file, source, signal);
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

/** Writes one chunk at a time; reads the next chunk only after writing the previous one. */
async function writeAll(file: FileHandle, source: Readable, signal: AbortSignal): Promise<AudioDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stop = () => source.destroy(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk).catch(asStoreError);
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Yields the names of files last written before `time`. Yields nothing if the folder does not exist. */
export async function* namesOlderThan(directory: string, time: Date): AsyncGenerator<string> {
  const entries = await opendir(directory).catch(orUndefinedIfMissing);
  if (!entries) return;
  for await (const { name } of entries) {
    const found = await stat(join(directory, name)).catch(orUndefinedIfMissing);
    if (found && found.mtime < time) yield name;
  }
}

/** Returns the size and the free bytes for unprivileged processes of the file system of a folder. */
export async function findRoomOf(directory: string): Promise<{ bytes: number; freeBytes: number }> {
  const { blocks, bavail, bsize } = await statfs(directory).catch(asStoreError);
  return { bytes: blocks * bsize, freeBytes: bavail * bsize };
}

function orUndefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) return asStoreError(error);
}
