/** Failures of API calls, in one form. */
import type { Problem } from 'conversation-analysis-client';
import { texts } from '../texts/index.ts';

type Failure = Pick<Problem, 'status' | 'title' | 'detail' | 'errors'> & { request_id?: string };

/** Status 0: no response from the API, or only one from a proxy. */
const NO_RESPONSE: Failure = { status: 0, title: texts.problem.away, detail: texts.problem.awayDetail };

/** Returns the problem that the API returned, in the language of the console as far as its texts go, or `NO_RESPONSE`. */
export const toFailure = (error: unknown): Failure =>
  isProblem(error) ? { ...error, ...translate(error) } : NO_RESPONSE;

const TEXTS: Record<string, { title: string; detail?: string }> = texts.problem.codes;

const translate = ({ code, errors }: Problem): Partial<Failure> => ({
  ...TEXTS[code],
  ...(errors && { errors: errors.map(translateField) }),
});

const translateField = (error: NonNullable<Problem['errors']>[number]) =>
  error.code === undefined ? error : { ...error, message: texts.problem.fieldCodes[error.code] };

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;

export const isUnauthorized = (error: unknown) => toFailure(error).status === 401;
export const isNotFound = (error: unknown) => toFailure(error).status === 404;
