/** Detects a server that silently truncated a prompt. */
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { ProviderError } from '../policy/provider-error.ts';
import type { LlmAnswer, LlmRequest } from './provider.ts';
import { callDetails } from './read-response.ts';

/**
 * Throws `too_large` if the model read fewer tokens than the prompt must have. Ollama truncates a prompt that is longer
 * than its context, the instructions first, and returns status 200.
 */
export function refuseCutPrompt(
  provider: LlmProviderName,
  { system, user }: Pick<LlmRequest, 'system' | 'user'>,
  answer: LlmAnswer,
): void {
  const read = answer.usage?.input_tokens ?? 0;
  const least = leastTokens(system) + leastTokens(user);
  // Some servers report no count, or 0 for a cached prompt.
  if (read === 0 || read >= least) return;
  throw new ProviderError('too_large', ['prompt_cut', { read, least }], callDetails(provider, answer));
}

/**
 * Returns a minimum for every tokenizer: one token per word, and one for punctuation at the end of a word; or one for 9 bytes of
 * letters, which is more where words are long or have no blanks between them.
 */
export function leastTokens(text: string): number {
  const words = text.match(/\S+/g) ?? [];
  const marked = words.filter((word) => /[\p{L}\p{N}]\p{P}+$/u.test(word));
  const bytes = Buffer.byteLength(text.replaceAll(/[^\p{L}\p{M}]+/gu, ''));
  return Math.max(words.length + marked.length, Math.ceil(bytes / 9));
}
