/** Says in the chosen language why a call or a session failed. Loaded with the first failure that has a reason. */
import type { Problem, SessionError } from 'conversation-analysis-client';
import { fill } from '../format/fill.ts';
import { providerName } from '../format/providers.ts';
import { texts } from '../texts/index.ts';

type Reason = Pick<SessionError, 'reason' | 'params'>;

const PROBLEMS: Record<string, { title: string; detail?: string } | undefined> = texts.problems;
const REASONS: Record<string, string | undefined> = texts.reasons;
const FIELDS: Record<string, string | undefined> = texts.fieldErrors;

const word = (text: string | undefined, params: Reason['params']) =>
  text && fill(text, { ...params, ...(params?.['provider'] && { provider: providerName(params['provider']) ?? '' }) });

/** Translates the details that the console has texts for. */
export function translate(problem: Problem): void {
  const { reason, params, errors = [] } = problem;
  Object.assign(problem, PROBLEMS[problem.code]);
  problem.detail = word(REASONS[reason ?? ''], params) || problem.detail;
  for (const error of errors) error.message = word(FIELDS[error.code ?? ''], error.params) || error.message;
}

/** Returns why a session or call failed, translated where the console has a text for the reason. */
export const wordFailure = ({
  code,
  message,
  reason,
  params,
}: Reason & { code: keyof typeof texts.failures; message: string }) =>
  word(REASONS[reason ?? ''], params) ||
  // The message about the budget has no more information than the text.
  (texts.language === 'en' && code !== 'budget_exceeded' && message) ||
  texts.failures[code];
