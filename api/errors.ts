/** Errors that the API returns to its clients. */
import type { z } from 'zod';
import type { SignInPolicy } from '../contract/values/constants.ts';
import { ERRORS, type ErrorCode, type PropertyError } from '../contract/errors/errors.ts';
import { codeOf } from '../contract/errors/property-messages.ts';
import { reasonOf, type Reason } from '../contract/errors/reasons.ts';

/** Optional members of the problem document, and headers of the response. */
interface ApiErrorExtras {
  errors?: PropertyError[];
  reason?: Reason;
  params?: Record<string, string>;
  session_id?: string;
  provider?: string | null;
  stage?: string;
  retryable?: boolean;
  /** The policy that the login does not satisfy. */
  sign_in?: SignInPolicy;
  /** Seconds after which the client may try again. */
  retryAfterS?: number;
  headers?: Record<string, string>;
}

/** An error response. Clients see `detail`: it says what is wrong and what to do, and contains no secret. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly extras: ApiErrorExtras;

  constructor(code: ErrorCode, detail: string, extras: ApiErrorExtras = {}) {
    super(detail);
    this.code = code;
    const errors = extras.errors?.map((error) => ({ ...codeOf(error.message), ...error }));
    this.extras = { ...reasonOf(detail), ...extras, ...(errors && { errors }) };
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Field errors that one response lists. */
const MAX_PROPERTY_ERRORS = 100;

/** Returns the error that names the invalid fields. */
export function invalid(...errors: PropertyError[]): ApiError {
  const shown = errors.slice(0, MAX_PROPERTY_ERRORS);
  const detail = shown.length === 1 ? 'One field is not valid.' : `${errors.length} fields are not valid.`;
  return new ApiError('validation_failed', detail, { errors: shown });
}

/**
 * Returns `found`, or throws `not_found` if it is undefined or false.
 * @param found a row, or whether a row was changed. @param name of the resource: "session".
 */
export function requireFound<T extends object | boolean>(found: T | undefined, name: string): T {
  if (!found) throw new ApiError('not_found', `No ${name} in your workspace has this ID.`);
  return found;
}

/**
 * Parses with the schema, or throws one error that lists every invalid field. A member that is null counts as absent unless the
 * schema accepts null, because some clients send every field that they do not set as null.
 * @param isPatch null resets a setting, so settings that cannot be reset refuse it.
 */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown, { isPatch = false } = {}): z.output<S> {
  const parsed = schema.safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined),
  });
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map(({ path }) => path).filter(({ length }) => !isPatch || length > 1);
  const present = paths.reduce<unknown>(withoutNull, value);
  if (present !== value) return parseOrThrow(schema, present, { isPatch });
  throw invalid(...parsed.error.issues.flatMap(propertyErrorsOf));
}

/** Returns the value without the member at the path if that is null; else the same value. Items of lists stay. */
function withoutNull(value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (typeof value !== 'object' || value === null || name === undefined || !Object.hasOwn(value, name)) return value;
  const member = (value as Record<PropertyKey, unknown>)[name];
  if (Array.isArray(value)) {
    const item = withoutNull(member, rest);
    return item === member ? value : value.with(Number(name), item);
  }
  if (rest.length > 0) {
    const inner = withoutNull(member, rest);
    return inner === member ? value : { ...value, [name]: inner };
  }
  return member === null ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) : value;
}

function propertyErrorsOf(issue: z.core.$ZodIssue): PropertyError[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a known field' }));
}
