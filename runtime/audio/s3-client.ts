/** Calls to S3, each of which ends: what the SDK leaves open for ever is bounded here. */
import { createReadStream } from 'node:fs';
import type * as Sdk from '@aws-sdk/client-s3';
import type { StagedAudio } from './store.ts';

export interface S3Settings {
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  /** URL of the store; undefined for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Longest silence of the store. */
  idleMs: number;
  /** Undefined for the machine's role, as the SDK finds it. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
}

export interface S3 {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** The SDK writes to the console otherwise; what goes wrong is thrown and logged by whoever asked. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  return;
}

/**
 * Returns a client of the bucket. The SDK is loaded here, by the first use: a service that keeps its recordings in a
 * folder spares the memory.
 */
export async function connectS3({ endpoint, region, credentials, idleMs }: S3Settings): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    requestHandler: { connectionTimeout: idleMs, socketTimeout: idleMs },
    logger: SILENT,
    // Other stores know nothing of Amazon's newer checksums; the signed SHA-256 guards each upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

/**
 * Runs a call with a signal that aborts with `signal`, or when the call has not resolved in `timeoutMs`: the SDK repeats
 * what timed out. The body of an answer may take longer, and ends with `signal` alone.
 */
export async function answeredWithin<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  call: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), timeoutMs);
  try {
    return await call(signal ? AbortSignal.any([signal, tooLate.signal]) : tooLate.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The SDK does not repeat a call whose body is a stream; this does, from the file. */
const PUT_ATTEMPTS = 3;

/** Sends a file. A store that says nothing is not asked again: its caller waits. */
export async function putFile(
  { sdk, client }: S3,
  location: { Bucket: string; Key: string },
  { path, bytes, sha256 }: Pick<StagedAudio, 'path' | 'bytes' | 'sha256'>,
  abortSignal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const Body = createReadStream(path);
    const command = new sdk.PutObjectCommand({ ...location, Body, ContentLength: bytes });
    try {
      await client.send(signedAs(sha256, command), { ...(abortSignal && { abortSignal }) });
      return;
    } catch (error) {
      const isSilent = error instanceof Error && error.name === 'TimeoutError';
      if (attempt === PUT_ATTEMPTS || isSilent || abortSignal?.aborted) throw error;
    } finally {
      Body.destroy();
    }
  }
}

/**
 * Puts the file's hash into the signed request, so that the store compares it with what it got. Without it the SDK
 * would read the file once more.
 */
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
