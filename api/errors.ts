/** Errors that the API returns to its clients. */
import type { z } from 'zod';
import type { SignInPolicy } from '../contract/values/constants.ts';
import { ERRORS, type ErrorCode } from '../contract/errors/errors.ts';
import type { PropertyError } from '../contract/errors/problem.ts';
import { errorAt, type FieldFault } from '../contract/errors/field-errors.ts';
import {
  hasParams,
  sayProblem,
  type ParamsOfProblem,
  type ProblemKey,
  type ProblemSaid,
} from '../contract/errors/problems.ts';
import type { Reason } from '../contract/errors/reasons.ts';
import { sayIssue } from '../contract/errors/zod-issues.ts';

/** Optional members of the problem document, and headers of the response. */
interface ApiErrorExtras {
  errors?: PropertyError[];
  reason?: Reason | undefined;
  params?: Record<string, string> | undefined;
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

/** An error response, made by `refusal`. Clients see `detail`: it says what is wrong and what to do, and contains no secret. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly extras: ApiErrorExtras;

  constructor({ code, detail, ...said }: ProblemSaid, extras?: ApiErrorExtras) {
    super(detail);
    this.code = code;
    this.extras = { ...said, ...extras };
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/**
 * Returns an error response by its key in contract/errors/problems.ts: `refusal('batches_limit', { max: 5 })`. Parameters come
 * before extras; a sentence without parameters has only extras: `refusal('disk_full', { retryAfterS: 60 })`.
 */
export function refusal<Key extends ProblemKey>(
  key: Key,
  ...args: [...ParamsOfProblem<Key>, extras?: ApiErrorExtras]
): ApiError {
  const given = args as (object | undefined)[];
  const [params, extras] = hasParams(key) ? given : [undefined, ...given];
  return new ApiError(sayProblem(key, ...([params] as unknown as ParamsOfProblem<Key>)), extras);
}

/** Field errors that one response lists. */
const MAX_PROPERTY_ERRORS = 100;

/** Returns the error that names the invalid fields. */
export function invalid(...all: PropertyError[]): ApiError {
  const errors = all.slice(0, MAX_PROPERTY_ERRORS);
  return errors.length === 1
    ? refusal('validation_failed:one', { errors })
    : refusal('validation_failed', { count: all.length }, { errors });
}

/** Returns the error that names one invalid field: `invalidAt('webhook_url', 'not_set')`. */
export const invalidAt = (path: string, ...fault: FieldFault) => invalid(errorAt(path, ...fault));

/**
 * Returns `found`, or throws `not_found` if it is undefined or false.
 * @param found a row, or whether a row was changed. @param name of the resource: "session".
 */
export function requireFound<T extends object | boolean>(found: T | undefined, name: string): T {
  if (!found) throw refusal('no_resource', { resource: name });
  return found;
}

/**
 * Parses with the schema, or throws one error that lists every invalid field. A member that is null counts as absent unless the
 * schema accepts null, because some clients send every field that they do not set as null.
 * @param isPatch null resets a setting, so settings that cannot be reset refuse it.
 */
export function parseOrThrow<S extends z.ZodType>(schema: S, value: unknown, { isPatch = false } = {}): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  const hidden = findPrototype(value)?.join('.');
  if (parsed.success && hidden === undefined) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  const paths = issues.map(({ path }) => path).filter(({ length }) => !isPatch || length > 1);
  // Not `some`, which would end after the first one.
  if (paths.filter((path) => removeNull(value, path)).length > 0) return parseOrThrow(schema, value, { isPatch });
  const errors = issues.flatMap(propertyErrorsOf);
  const isNew = hidden !== undefined && errors.every(({ path }) => path !== hidden);
  throw invalid(...errors, ...(isNew ? [errorAt(hidden, 'unknown_field')] : []));
}

/** Returns the path of a member with the name `__proto__`, which zod leaves out of records without an error. */
function findPrototype(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return ['__proto__'];
  for (const [name, member] of Object.entries(value)) {
    const path = findPrototype(member);
    if (path) return [name, ...path];
  }
  return undefined;
}

/** Removes the member at the path if that is null, from the value itself: a copy for each of many would take quadratic time. */
function removeNull(value: unknown, path: readonly PropertyKey[]): boolean {
  const owner = path.slice(0, -1).reduce<unknown>(memberOf, value);
  const name = path.at(-1);
  if (name === undefined || Array.isArray(owner) || memberOf(owner, name) !== null) return false;
  return Reflect.deleteProperty(owner as object, name);
}

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<PropertyKey, unknown>)[name]
    : undefined;

function propertyErrorsOf(issue: z.core.$ZodIssue): PropertyError[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path.join('.'), ...sayIssue(issue) }];
  return issue.keys.map((key) => errorAt([...issue.path, key].join('.'), 'unknown_field'));
}
