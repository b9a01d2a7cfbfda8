/**
 * Stores recordings in S3 or a compatible store. Each recording is first written to a temporary file, so it can be
 * inspected before it is stored, and an upload needs less memory than S3's multipart uploads.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AudioMissingError, asStoreError, isAudioKey, requireAudioKey, type AudioStore } from './store.ts';
import { answeredWithin, connectS3, putFile, type S3, type S3Settings } from './s3-client.ts';
import { findRoomOf, namesOlderThan, stageFile } from './stage-file.ts';

const TEMPORARY_PREFIX = 'cas-audio-';

/** Time limit of a removal, during which the caller locks the session's row. */
const REMOVE_TIMEOUT_MS = 5_000;

export function createS3AudioStore(settings: S3Settings): AudioStore {
  const { bucket, prefix } = settings;
  const locate = (key: string) => ({ Bucket: bucket, Key: prefix + requireAudioKey(key) });
  const { idleMs } = settings;
  let connecting: Promise<S3> | undefined;
  const connect = () => (connecting ??= connectS3(settings));

  const store: AudioStore = {
    async stage(source, signal) {
      const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)).catch(asStoreError);
      const discard = () => rm(folder, { recursive: true, force: true });
      const path = join(folder, 'audio');
      try {
        const digest = await stageFile(path, source, signal);
        const keepAs = async (key: string, abort?: AbortSignal) => {
          await putFile(await connect(), locate(key), { path, ...digest }, abort).catch(unlessAborted(abort));
          await discard();
        };
        return { ...digest, path, keepAs, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },

    async open(key, { range, signal } = {}) {
      const { sdk, client } = await connect();
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new sdk.GetObjectCommand({ ...locate(key), ...(Range !== undefined && { Range }) });
      const { Body } = await answeredWithin(idleMs, signal, (abortSignal) =>
        client.send(command, { abortSignal }),
      ).catch(orMissing(signal));
      return Body instanceof Readable ? Body : asStoreError(new TypeError('no stream'));
    },

    async useFile(key, use, signal) {
      const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)).catch(asStoreError);
      try {
        const path = join(folder, 'audio');
        const source = await store.open(key, { ...(signal && { signal }) });
        await pipeline(source, createWriteStream(path, { mode: 0o600 }), { ...(signal && { signal }) }).catch(
          unlessAborted(signal),
        );
        return await use(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async remove(key, signal) {
      const { sdk, client } = await connect();
      const command = new sdk.DeleteObjectCommand(locate(key));
      await answeredWithin(Math.min(idleMs, REMOVE_TIMEOUT_MS), signal, (abortSignal) =>
        client.send(command, { abortSignal }),
      ).catch(unlessAborted(signal));
    },

    async *listOlderThan(time) {
      const { sdk, client } = await connect();
      let token: string | undefined;
      do {
        const page = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token });
        const { Contents = [], NextContinuationToken } = await answeredWithin(idleMs, undefined, (abortSignal) =>
          client.send(page, { abortSignal }),
        ).catch(asStoreError);
        for (const { Key = '', LastModified } of Contents) {
          const key = Key.slice(prefix.length);
          if (LastModified && LastModified < time && isAudioKey(key)) yield key;
        }
        token = NextContinuationToken;
      } while (token !== undefined);
    },

    findRoom: () => findRoomOf(tmpdir()),

    async removeUnfinished(time) {
      for await (const name of namesOlderThan(tmpdir(), time)) {
        if (name.startsWith(TEMPORARY_PREFIX)) await rm(join(tmpdir(), name), { recursive: true, force: true });
      }
    },
  };
  return store;
}

/** Returns a handler that throws the reason of an abort unchanged, and other errors as `AudioStoreError`. */
function unlessAborted(signal: AbortSignal | undefined): (cause: unknown) => never {
  return (cause) => {
    signal?.throwIfAborted();
    return asStoreError(cause);
  };
}

function orMissing(signal: AbortSignal | undefined): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof Error && cause.name === 'NoSuchKey') {
      throw new AudioMissingError('the store has no such recording');
    }
    return unlessAborted(signal)(cause);
  };
}
