/** Errors of API calls as problems. */
import type { Problem } from 'conversation-analysis-client';
import { texts } from '../texts/index.ts';
import { loadFile } from './load-file.ts';

type Failure = Pick<Problem, 'status' | 'title' | 'detail'> & Partial<Problem>;

/** Status 0 means that the API did not respond. A proxy may have responded instead. */
const NO_RESPONSE: Failure = { status: 0, title: texts.problem.away, detail: texts.problem.awayDetail };

/** Returns the problem of the API, which `translate` has translated, or `NO_RESPONSE`. */
export const toFailure = (error: unknown): Failure => (isProblem(error) ? error : NO_RESPONSE);

const TEXTS: Record<string, { title: string; detail?: string } | undefined> = texts.problem.codes;

const loadReasons = () => loadFile(() => import('./reasons.ts'));

/** Translates a problem of the API where the console has a text for it. If the texts can't be loaded, the rest stays English. */
export async function translate(error: unknown): Promise<unknown> {
  if (!isProblem(error)) return error;
  Object.assign(error, TEXTS[error.code]);
  if (TEXTS[error.code] && !error.reason && !error.errors) return error;
  const reasons = await loadReasons().catch(() => undefined);
  reasons?.translate(error);
  return error;
}

/** Returns a message as a sentence. The API's messages of inputs are ends of sentences. A name of a field stays as it is. */
export const sentenceOf = (message: string) =>
  message.replace(/^\p{Ll}(?=[\p{Ll}ʻʼ]* )/u, (letter) => letter.toUpperCase()).replace(/[^.!?]$/, '$&.');

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;

/** Returns a problem for an input that the console itself rejects. */
export const invalid = (path: string, message: string): Problem => ({
  type: 'about:blank',
  code: 'validation_failed',
  status: 422,
  request_id: '',
  title: texts.problem.codes.validation_failed.title,
  detail: texts.problem.codes.validation_failed.detail,
  errors: [{ path, message }],
});

export const isProblemOf = (error: unknown, code: Problem['code']) => toFailure(error).code === code;

/** Returns whether the token of a link is unknown, used or expired. */
export const isBadLink = (error: unknown) =>
  error != null && (toFailure(error).errors ?? []).some(({ code }) => code === 'bad_link');

export const isUnauthorized = (error: unknown) => toFailure(error).status === 401;
export const isNotFound = (error: unknown) => toFailure(error).status === 404;
