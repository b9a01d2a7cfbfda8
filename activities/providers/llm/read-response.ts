/** Interprets the responses of all language-model providers. */
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { errorOfFault, ProviderError } from '../provider-error.ts';
import type { LlmAnswer } from './provider.ts';

/** Meaning of a finish reason. Unknown reasons are undefined: the text may be incomplete. */
export type Finish = 'complete' | 'truncated' | 'refused' | 'too_large' | undefined;

interface LlmResponse extends Omit<LlmAnswer, 'isTruncated'> {
  provider: LlmProviderName;
  finish: Finish;
}

/** Returns the answer. Throws `ProviderError` for a response without one. */
export function readResponse({ provider, finish, ...answer }: LlmResponse): LlmAnswer {
  const { text, usage, providerRequestId } = answer;
  if (finish === 'truncated' || (finish === 'complete' && text !== ''))
    return { ...answer, isTruncated: finish === 'truncated' };
  const details = { provider, httpStatus: 200, providerRequestId, ...(usage && { usage }) };
  if (finish === 'refused' || finish === 'too_large') throw errorOfFault(finish, 'analysis', details);
  // A response with usage comes from a model and is billed. Any other comes from a proxy.
  if (usage) throw errorOfFault('incomplete', 'analysis', details);
  throw new ProviderError('unavailable', 'returned no content', details);
}

const JSON_START = /^\s*(?:```(?:json)?\s*)?\{/;

/** Returns whether a text starts as a JSON object. */
export const startsAsJson = (text: string) => JSON_START.test(text);

/** Joins the parts of a response from the first one that starts as JSON, since a model may write a preamble. If none does, joins all. */
export function joinParts(parts: readonly unknown[]): string {
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.slice(Math.max(texts.findIndex(startsAsJson), 0)).join('');
}
