/** Interprets the responses of all language-model providers. */
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { FailureKey } from '../../../contract/errors/failures.ts';
import { errorOfCause, ProviderError } from '../policy/provider-error.ts';
import { readRefusal } from '../policy/read-refusal.ts';
import type { CallReport } from '../policy/record-call.ts';
import { parseAnswer, summaryOfProse, type NoAnswer, type ParsedAnswer } from './parse-answer.ts';
import type { Finish, LlmAnswer } from './provider.ts';

/** Finish reasons of all providers in lower case. */
const FINISHES: [RegExp, Finish | 'refused' | 'too_large'][] = [
  [/context_window_exceeded/, 'too_large'],
  [/^(?:stop|end|end_turn|eos|eos_token|stop_sequence)$/, 'complete'],
  [/length|^max_|token_limit/, 'truncated'],
  [
    /^(?!image_).*(?:filter|refusal|refused|safety|armor|guardrail|recitation|language|blocklist|prohibited|spii|sensitive)/,
    'refused',
  ],
];

interface LlmResponse extends Omit<LlmAnswer, 'finish'> {
  provider: LlmProviderName;
  /** The provider's finish reason in any writing. */
  reason: unknown;
  /** What the response says if the model declined. */
  refusal?: unknown;
}

/** Returns the text of a response. Throws `ProviderError` for a response without one, and for a refusal. */
export function readResponse({ provider, reason, refusal, ...response }: LlmResponse): LlmAnswer {
  const { text, usage } = response;
  const name = String(reason)
    .toLowerCase()
    .replace(/^finish_reason_/, '');
  const finish = refusal ? 'refused' : (FINISHES.find(([says]) => says.test(name))?.[1] ?? 'unknown');
  const source = { provider, step: 'analysis' } as const;
  const details = callDetails(provider, response);
  if (finish === 'refused') throw errorOfCause('content', source, { ...details, reply: readRefusal(200, refusal) });
  if (finish === 'too_large') {
    if (typeof parseAnswer(text) === 'string') throw errorOfCause('length', source, details);
    return { ...response, finish: 'complete' };
  }
  if (finish === 'truncated' || text !== '') return { ...response, finish };
  // A response with usage comes from a model and is billed. Any other comes from a proxy.
  if (usage) throw errorOfCause('json', source, details);
  throw new ProviderError('unavailable', ['no_content'], details);
}

/** What a call without an answer is recorded with: it is billed, too. */
export const callDetails = (
  provider: LlmProviderName,
  { usage, costUsd, servedBy, providerRequestId }: CallReport,
) => ({
  provider,
  httpStatus: 200,
  providerRequestId,
  usage,
  costUsd,
  servedBy,
});

/** Returns the instructions for a model that gets no schema beside them. */
export const withSchema = (system: string, schema: JsonSchema): string =>
  `${system}\nThe schema: ${JSON.stringify(schema)}`;

/** What a text without an answer was. */
const FAULTS = {
  cut_off: 'incomplete',
  unreadable: 'unreadable_json',
  no_summary: 'no_summary',
  prose: 'prose',
} as const satisfies Record<NoAnswer, FailureKey>;

/**
 * Returns the answer in a response; undefined if it was cut off. Throws `incomplete` if there is none.
 * @param acceptsProse text without JSON is the summary.
 */
export function requireAnswer(
  provider: LlmProviderName,
  response: LlmAnswer,
  acceptsProse = false,
): ParsedAnswer | undefined {
  const { text, finish } = response;
  const answer = parseAnswer(text);
  if (typeof answer !== 'string') return answer;
  if (finish === 'truncated' || (finish === 'complete' && answer === 'cut_off')) return undefined;
  const prose = acceptsProse && answer === 'prose' ? summaryOfProse(text) : undefined;
  if (prose) return prose;
  throw new ProviderError('incomplete', [FAULTS[answer]], callDetails(provider, response));
}

/** Joins the texts of a response's parts. A part may be a text or have the member `text`; reasoning has another type. */
export function joinParts(parts: unknown): string {
  if (typeof parts === 'string') return parts;
  if (!Array.isArray(parts)) return '';
  return (parts as unknown[]).map(partText).join('');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return '';
  const { type = 'text', text, thought } = part as { type?: unknown; text?: unknown; thought?: unknown };
  const isAnswer = (type === 'text' || type === 'output_text') && thought !== true;
  return isAnswer && typeof text === 'string' ? text : '';
}
