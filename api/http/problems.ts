/** Turns errors of any kind into the problem documents of RFC 9457. */
import { problemOf, type Problem } from '../../contract/errors/problem.ts';
import { isDatabaseUnavailable, isReferenceLost } from '../../db/connect.ts';
import { AudioStoreError } from '../../runtime/audio/store.ts';
import { isTemporalUnavailable } from '../../runtime/temporal/connect.ts';
import { ApiError, refusal } from '../errors.ts';

/** Seconds after which a client may repeat a request that met an outage. */
const RETRY_AFTER_S = 5;

/** Returns the error for the client. An unexpected error becomes `internal_error` without its text. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isReferenceLost(error)) return refusal('just_deleted');
  const outage = isDatabaseUnavailable(error)
    ? 'database'
    : isTemporalUnavailable(error)
      ? 'workflow service'
      : error instanceof AudioStoreError
        ? 'audio store'
        : undefined;
  if (outage === undefined) return refusal('internal_error');
  return refusal('part_down', { part: outage }, { retryAfterS: RETRY_AFTER_S });
}

/** Returns the response headers of an error. */
export function headersOf({ status, extras: { headers, retryAfterS } }: ApiError): Record<string, string> {
  return {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfterS !== undefined && { 'Retry-After': String(retryAfterS) }),
    ...headers,
  };
}

export function toProblem(error: ApiError, requestId: string): Problem {
  const { headers: _headers, retryAfterS: _retryAfterS, provider, ...extras } = error.extras;
  return { ...problemOf(error.code, error.message, requestId), ...extras, ...(provider && { provider }) };
}
