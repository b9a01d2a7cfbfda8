/** S3 calls with time limits, because the SDK has none for some phases. */
import { createReadStream } from 'node:fs';
import type * as Sdk from '@aws-sdk/client-s3';
import type { StagedAudio } from './store.ts';

export interface S3Settings {
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  /** URL of the store; undefined for Amazon's own. */
  endpoint: string | undefined;
  /** Longest time without any data from the store. */
  idleMs: number;
}

export interface S3 {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** Silences the SDK's console output. Errors are thrown, and the caller logs them. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  return;
}

/**
 * Returns a client for the bucket, with the credentials that the SDK finds in the environment or the machine's role. Loads
 * the SDK on first use, which saves memory if recordings are stored in a folder.
 */
export async function connectS3({ endpoint, idleMs }: S3Settings): Promise<S3> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Other stores have no regions; for Amazon's, the SDK reads AWS_REGION.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: 'us-east-1' }),
    requestHandler: { connectionTimeout: idleMs, socketTimeout: idleMs },
    logger: SILENT,
    // Other stores don't support Amazon's newer checksums. The signed SHA-256 protects each upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

/** Runs a call with a time limit that includes the SDK's retries. Reading the response's body is limited only by `signal`. */
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

/** The SDK does not retry calls with a stream as body. */
const PUT_ATTEMPTS = 3;

/** Uploads a file. Does not retry after a timeout, because the caller waits. */
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

/** Adds the file's hash to the signed request, so the store verifies it. Otherwise the SDK would read the file again. */
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
