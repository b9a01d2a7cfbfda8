/** Errors that an API client is told about. */
import type { z } from 'zod';
import { ERRORS } from '../contract/errors.ts';
import type { ErrorCode, FieldError } from '../contract/errors.ts';

/** Members of the problem beyond the common ones, and headers of the answer. */
export interface ApiErrorExtras {
  errors?: FieldError[];
  session_id?: string;
  provider?: string | null;
  stage?: string;
  retryable?: boolean;
  headers?: Record<string, string>;
}

/**
 * Says why a request is refused. `detail` is shown to the client: it says what is wrong and what to do, and quotes
 * nothing secret.
 */
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

/** Bound of the errors that one answer lists: more of them would only repeat themselves. */
const MAX_FIELD_ERRORS = 100;

/** Returns the error that names the fields which are not valid. */
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
  throw invalid(...parsed.error.issues.flatMap(fieldErrorsOf));
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  if (unknown.length > 0) {
    return unknown.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a known field' }));
  }
  return [{ path: issue.path.join('.'), message: issue.message }];
}

/** Returns the error for a file of a form that is larger than `maxBytes`. */
export function fileTooLarge(path: string, maxBytes: number): ApiError {
  const message = `is larger than ${maxBytes} bytes`;
  return new ApiError('payload_too_large', `The file ${message}.`, { errors: [{ path, message }] });
}
