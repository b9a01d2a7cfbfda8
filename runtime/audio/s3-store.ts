/**
 * Recordings as objects of S3 or of a store that speaks its protocol. Each passes through a file of the temporary
 * folder: it can be looked at before it is stored, and memory stays flat where a multipart upload would hold 5 MiB and
 * more for each recording that arrives.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as Sdk from '@aws-sdk/client-s3';
import { AudioMissingError, asStoreError, isAudioKey, requireAudioKey } from './errors.ts';
import { namesOlderThan, putStaged, stageFile } from './stage-file.ts';
import type { AudioStore, StagedAudio } from './store.ts';

export interface S3Settings {
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  /** Undefined: Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Undefined: the machine's role, as the SDK finds it. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
}

const TEMPORARY_PREFIX = 'cas-audio-';

/** Those who remove hold the session's row meanwhile; the SDK waits for ever. */
const REMOVE_TIMEOUT_MS = 5_000;

/** The SDK does not repeat a call whose body is a stream; this does, from the file. */
const PUT_ATTEMPTS = 3;

export function createS3AudioStore(settings: S3Settings): AudioStore {
  const { bucket, prefix } = settings;
  const locate = (key: string) => ({ Bucket: bucket, Key: prefix + requireAudioKey(key) });
  let connecting: Promise<Connected> | undefined;
  const connect = () => (connecting ??= connectS3(settings));

  const store: AudioStore = {
    async stage(source, signal, options) {
      const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)).catch(asStoreError);
      const discard = () => rm(folder, { recursive: true, force: true });
      const path = join(folder, 'audio');
      try {
        const digest = await stageFile(path, source, signal, options);
        const keepAs = async (key: string) => {
          await putFile(await connect(), locate(key), { path, ...digest }).catch(asStoreError);
          await discard();
        };
        return { ...digest, path, keepAs, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },

    put: (key, source, signal) => putStaged(store, key, source, signal),

    async open(key, range) {
      const { sdk, client } = await connect();
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new sdk.GetObjectCommand({ ...locate(key), ...(Range !== undefined && { Range }) });
      const { Body } = await client.send(command).catch(asMissing);
      return Body instanceof Readable ? Body : asStoreError(new TypeError('no stream'));
    },

    async useFile(key, use) {
      const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)).catch(asStoreError);
      try {
        const path = join(folder, 'audio');
        const source = await store.open(key);
        await pipeline(source, createWriteStream(path, { mode: 0o600 })).catch(asStoreError);
        return await use(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async remove(key) {
      const { sdk, client } = await connect();
      const abortSignal = AbortSignal.timeout(REMOVE_TIMEOUT_MS);
      await client.send(new sdk.DeleteObjectCommand(locate(key)), { abortSignal }).catch(asStoreError);
    },

    async *listOlderThan(time) {
      const { sdk, client } = await connect();
      let token: string | undefined;
      do {
        const page = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token });
        const { Contents = [], NextContinuationToken } = await client.send(page).catch(asStoreError);
        for (const { Key = '', LastModified } of Contents) {
          const key = Key.slice(prefix.length);
          if (LastModified && LastModified < time && isAudioKey(key)) yield key;
        }
        token = NextContinuationToken;
      } while (token !== undefined);
    },

    async removeUnfinished(time) {
      for await (const name of namesOlderThan(tmpdir(), time)) {
        if (name.startsWith(TEMPORARY_PREFIX)) await rm(join(tmpdir(), name), { recursive: true, force: true });
      }
    },
  };
  return store;
}

interface Connected {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** The SDK writes to the console otherwise; what goes wrong is thrown and logged by whoever asked. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  return;
}

/** The SDK is loaded here, by the first use: a service that keeps its recordings in a folder spares the memory. */
async function connectS3({ endpoint, region, credentials }: S3Settings): Promise<Connected> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    logger: SILENT,
    // Other stores know nothing of Amazon's newer checksums; the signed SHA-256 guards each upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

async function putFile(
  { sdk, client }: Connected,
  location: { Bucket: string; Key: string },
  { path, bytes, sha256 }: Pick<StagedAudio, 'path' | 'bytes' | 'sha256'>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const Body = createReadStream(path);
    const command = new sdk.PutObjectCommand({ ...location, Body, ContentLength: bytes });
    try {
      await client.send(signedAs(sha256, command));
      return;
    } catch (error) {
      if (attempt === PUT_ATTEMPTS) throw error;
    } finally {
      Body.destroy();
    }
  }
}

/** The store compares what it got with the hash that is signed. Without it the SDK would read the file once more. */
function signedAs(sha256: string, command: Sdk.PutObjectCommand): Sdk.PutObjectCommand {
  command.middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'signKnownHash' },
  );
  return command;
}

function asMissing(error: unknown): never {
  if (error instanceof Error && error.name === 'NoSuchKey') {
    throw new AudioMissingError('the store has no such recording');
  }
  return asStoreError(error);
}
