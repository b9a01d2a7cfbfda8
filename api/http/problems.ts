/** Turns errors of any kind into the problem documents of RFC 9457. */
import { randomUUID } from 'node:crypto';
import { ERRORS } from '../../contract/errors.ts';
import type { ErrorCode, Problem } from '../../contract/errors.ts';
import { isDatabaseUnavailable, isReferenceLost } from '../../db/connect.ts';
import { AudioStoreError } from '../../runtime/audio/errors.ts';
import { isTemporalUnavailable } from '../../runtime/temporal/connect.ts';
import { ApiError } from '../errors.ts';

/** Seconds after which a client that met an outage may call again. */
const RETRY_AFTER_S = 5;

/** Returns the error to tell the client. One that nobody foresaw becomes `internal_error`, and its text stays here. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isReferenceLost(error)) return new ApiError('not_found', 'It was deleted meanwhile.');
  const outage = isDatabaseUnavailable(error)
    ? 'database'
    : isTemporalUnavailable(error)
      ? 'workflow service'
      : error instanceof AudioStoreError
        ? 'audio store'
        : undefined;
  if (outage === undefined) return new ApiError('internal_error', 'Something went wrong on our side.');
  return new ApiError('unavailable', `The ${outage} is not available. Try again in a few seconds.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}

export function toProblem(error: ApiError, requestId: string): Problem {
  const { headers: _headers, provider, ...extras } = error.extras;
  const { status, title } = ERRORS[error.code];
  return {
    type: `urn:conversation-analysis:error:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...extras,
    ...(provider && { provider }),
  };
}

/** Returns a problem for requests that Node's HTTP parser refuses, before Koa sees them. */
export function standaloneProblem(code: ErrorCode, detail: string): string {
  return JSON.stringify(toProblem(new ApiError(code, detail), randomUUID()));
}
