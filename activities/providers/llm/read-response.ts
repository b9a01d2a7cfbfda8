/** Interprets the responses of all language-model providers. */
import type { FailureKey } from '../../../contract/errors/failures.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { errorOfFault, ProviderError } from '../provider-error.ts';
import { parseAnswer, type NoAnswer, type ParsedAnswer } from './parse-answer.ts';
import type { Finish, LlmAnswer } from './provider.ts';

/** Finish reasons of all providers in lower case. */
const FINISHES: Record<string, Finish | 'refused' | 'too_large'> = {
  stop: 'complete',
  end: 'complete',
  end_turn: 'complete',
  eos: 'complete',
  eos_token: 'complete',
  stop_sequence: 'complete',
  length: 'truncated',
  max_tokens: 'truncated',
  max_output_tokens: 'truncated',
  model_length: 'truncated',
  content_filter: 'refused',
  refusal: 'refused',
  safety: 'refused',
  recitation: 'refused',
  language: 'refused',
  blocklist: 'refused',
  prohibited_content: 'refused',
  spii: 'refused',
  model_context_window_exceeded: 'too_large',
};

interface LlmResponse extends Omit<LlmAnswer, 'finish'> {
  provider: LlmProviderName;
  /** The provider's finish reason in any writing. */
  reason: unknown;
  /** True if the response states that the model declined. */
  isRefused?: boolean;
}

/** Returns the text of a response. Throws `ProviderError` for a response without one, and for a refusal. */
export function readResponse({ provider, reason, isRefused = false, ...response }: LlmResponse): LlmAnswer {
  const { text, usage, providerRequestId } = response;
  const finish = isRefused ? 'refused' : (FINISHES[String(reason).toLowerCase()] ?? 'unknown');
  const details = { provider, httpStatus: 200, providerRequestId, ...(usage && { usage }) };
  if (finish === 'refused') throw errorOfFault(finish, 'analysis', details);
  if (finish === 'too_large') {
    if (typeof parseAnswer(text) === 'string') throw errorOfFault(finish, 'analysis', details);
    return { ...response, finish: 'complete' };
  }
  if (finish === 'truncated' || text !== '') return { ...response, finish };
  // A response with usage comes from a model and is billed. Any other comes from a proxy.
  if (usage) throw errorOfFault('incomplete', 'analysis', details);
  throw new ProviderError('unavailable', ['no_content'], details);
}

/** What a text without an answer was. */
const REASONS = {
  cut_off: 'incomplete',
  unreadable: 'unreadable_json',
  no_summary: 'no_summary',
  prose: 'prose',
} as const satisfies Record<NoAnswer, FailureKey>;

/** Returns the answer in a response; undefined if it was cut off. Throws `incomplete` if there is none. */
export function requireAnswer(
  provider: LlmProviderName,
  { text, finish, usage, providerRequestId }: LlmAnswer,
): ParsedAnswer | undefined {
  const answer = parseAnswer(text);
  if (typeof answer !== 'string') return answer;
  if (finish === 'truncated' || (finish === 'complete' && answer === 'cut_off')) return undefined;
  const details = { provider, httpStatus: 200, providerRequestId, ...(usage && { usage }) };
  throw new ProviderError('incomplete', [REASONS[answer]], details);
}

/** Joins the texts of a response's parts. A part may be a text or have the member `text`; reasoning has another type. */
export function joinParts(parts: unknown): string {
  if (typeof parts === 'string') return parts;
  if (!Array.isArray(parts)) return '';
  return (parts as unknown[]).map(textOf).join('');
}

function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return '';
  const { type = 'text', text, thought } = part as { type?: unknown; text?: unknown; thought?: unknown };
  const isAnswer = (type === 'text' || type === 'output_text') && thought !== true;
  return isAnswer && typeof text === 'string' ? text : '';
}
