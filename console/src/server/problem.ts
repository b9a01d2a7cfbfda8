/** Errors of API calls as problems. */
import type { Problem, SessionError } from 'conversation-analysis-client';
import { formatNumber } from '../format/numbers.ts';
import { language, texts } from '../texts/index.ts';

type Failure = Pick<Problem, 'status' | 'title' | 'detail'> & Partial<Problem>;

/** Status 0 means that the API did not respond. A proxy may have responded instead. */
const NO_RESPONSE: Failure = { status: 0, title: texts.problem.away, detail: texts.problem.awayDetail };

/** Returns the problem of the API, translated where the console has a text for its code, or `NO_RESPONSE`. */
export const toFailure = (error: unknown): Failure =>
  isProblem(error) ? { ...error, ...translate(error) } : NO_RESPONSE;

const TEXTS: Record<string, { title: string; detail?: string } | undefined> = texts.problem.codes;
const FIELDS: Record<string, string | undefined> = texts.problem.fieldCodes;
const DETAILS: Record<string, string | undefined> = texts.problem.details;
const PROVIDERS: Record<string, string | undefined> = texts.providers;

function translate({ code, reason, params, errors }: Problem): Partial<Failure> {
  const detail = word(DETAILS[reason ?? ''], params);
  return {
    ...TEXTS[code],
    ...(detail && { detail }),
    ...(errors && {
      errors: errors.map((error) => ({
        ...error,
        message: word(FIELDS[error.code ?? ''], error.params) ?? error.message,
      })),
    }),
  };
}

/** Returns why a session or call failed, translated where the console has a text for the reason. */
export const wordFailure = ({
  code,
  message,
  reason,
  params,
}: Pick<SessionError, 'message' | 'reason' | 'params'> & { code: keyof typeof texts.failures }) =>
  word(DETAILS[reason ?? ''], params) ??
  // The message about the budget has no more information than the text.
  ((language === 'en' && code !== 'budget_exceeded' && message) || texts.failures[code]);

/** Returns the text with its parameters. A part in brackets is left out without its parameter. */
export function word(text: string | undefined, params: Record<string, string> = {}): string | undefined {
  return text
    ?.replaceAll(/\[([^[\]{}]*\{(\w+)\}[^[\]{}]*)\]/g, (_, part: string, name: string) => (params[name] ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const given = params[name] ?? '';
      const value = (name === 'provider' && PROVIDERS[given]) || given;
      return /^\d{4,15}$/.test(value) ? formatNumber(Number(value)) : value;
    });
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
