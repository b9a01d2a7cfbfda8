/** Errors of API calls as problems. */
import type { Problem } from 'conversation-analysis-client';
import { texts } from '../texts/index.ts';

type Failure = Pick<Problem, 'status' | 'title' | 'detail'> & Partial<Problem>;

/** Status 0 means that the API did not respond. A proxy may have responded instead. */
const NO_RESPONSE: Failure = { status: 0, title: texts.problem.away, detail: texts.problem.awayDetail };

/** Returns the problem of the API, translated where the console has a text for its code, or `NO_RESPONSE`. */
export const toFailure = (error: unknown): Failure =>
  isProblem(error) ? { ...error, ...translate(error) } : NO_RESPONSE;

const TEXTS: Record<string, { title: string; detail?: string } | undefined> = texts.problem.codes;

const translate = ({ code, errors }: Problem): Partial<Failure> => ({
  ...TEXTS[code],
  ...(errors && { errors: errors.map(translateField) }),
});

const FIELD_TEXTS: Record<string, string | undefined> = texts.problem.fieldCodes;

const translateField = (error: NonNullable<Problem['errors']>[number]) => {
  const text = FIELD_TEXTS[error.code ?? ''];
  return text === undefined
    ? error
    : { ...error, message: text.replaceAll(/\{(\w+)\}/g, (_, name: string) => error.params?.[name] ?? '') };
};

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;

/** Returns a problem for an input that the console itself rejects. */
export const invalid = (path: string, message: string): Problem => ({
  type: 'about:blank',
  code: 'validation_failed',
  status: 422,
  request_id: '',
  title: message,
  detail: '',
  errors: [{ path, message }],
});

export const isProblemOf = (error: unknown, code: Problem['code']) => toFailure(error).code === code;

/** Returns whether the token of a link is unknown, used or expired. */
export const isBadLink = (error: unknown) =>
  error != null && (toFailure(error).errors ?? []).some(({ code }) => code === 'bad_link');

export const isUnauthorized = (error: unknown) => toFailure(error).status === 401;
export const isNotFound = (error: unknown) => toFailure(error).status === 404;
