/** Errors that an API client is told about, and how any error becomes a problem document. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { ERRORS } from '../../contract/errors.ts';
import type { ErrorCode, FieldError, Problem } from '../../contract/errors.ts';
import { isDatabaseUnavailable } from '../../db/connect.ts';
import { AudioStoreError } from '../../runtime/audio/errors.ts';
import { isTemporalUnavailable } from '../../runtime/temporal/connect.ts';

/** Members of the problem beyond the common ones, and headers of the answer. */
export interface ApiErrorExtras {
  errors?: FieldError[];
  session_id?: string;
  provider?: string | null;
  stage?: string;
  retryable?: boolean;
  headers?: Record<string, string>;
}

/** `detail` is shown to the client: it says what is wrong and what to do, and quotes nothing secret. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly extras: ApiErrorExtras;

  constructor(code: ErrorCode, detail: string, extras: ApiErrorExtras = {}) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Seconds after which a client that met an outage may call again. */
const RETRY_AFTER_S = 5;

/** What nobody foresaw is an `internal_error`, and its text stays here. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
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

/** A problem outside Koa, for requests that Node's HTTP parser refuses. */
export function standaloneProblem(code: ErrorCode, detail: string): string {
  return JSON.stringify(toProblem(new ApiError(code, detail), randomUUID()));
}

/** More of them would only repeat themselves. */
const MAX_FIELD_ERRORS = 100;

export function invalid(...errors: FieldError[]): ApiError {
  const shown = errors.slice(0, MAX_FIELD_ERRORS);
  const detail = shown.length === 1 ? 'One field is not valid.' : `${errors.length} fields are not valid.`;
  return new ApiError('validation_failed', detail, { errors: shown });
}

/** Parses with the schema, or throws one error that lists every invalid field. */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined),
  });
  if (parsed.success) return parsed.data;
  throw invalid(...parsed.error.issues.flatMap(describeIssue));
}

function describeIssue(issue: z.core.$ZodIssue): FieldError[] {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  if (unknown.length > 0) {
    return unknown.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a known field' }));
  }
  return [{ path: issue.path.join('.'), message: issue.message }];
}
