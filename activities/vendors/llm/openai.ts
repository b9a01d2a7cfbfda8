import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider, LlmReach } from './provider.ts';
import { tokenCount } from '../token-count.ts';

export function createProvider({ apiKey, baseUrl, timeoutMs }: LlmReach): LlmProvider {
  return createOpenAiChat({
    provider: 'openai',
    apiKey,
    baseUrl: baseUrl ?? 'https://api.openai.com/v1',
    timeoutMs,
    readUsage,
  });
}

/** Returns the vendor's counts: `prompt_tokens` includes cached tokens, `completion_tokens` includes reasoning. */
function readUsage({ usage }: ChatCompletion): CallUsage | null {
  const input_tokens = tokenCount(usage?.prompt_tokens);
  const output_tokens = tokenCount(usage?.completion_tokens);
  if (input_tokens === undefined || output_tokens === undefined) return null;
  const cached = tokenCount(usage?.prompt_tokens_details?.cached_tokens);
  return { input_tokens, output_tokens, ...(cached && { cache_read_tokens: cached }) };
}
