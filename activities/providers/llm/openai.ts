import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import type { ProviderReach } from '../load-provider.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider } from './provider.ts';
import { cacheUsage, tokenCount } from '../token-count.ts';

export const createProvider = (reach: ProviderReach): LlmProvider =>
  createOpenAiChat({ ...reach, provider: 'openai', defaultUrl: 'https://api.openai.com/v1', readUsage });

/** Returns the provider's counts: `prompt_tokens` includes cached tokens, `completion_tokens` includes reasoning. */
export function readUsage({ usage }: ChatCompletion): CallUsage | null {
  const input_tokens = tokenCount(usage?.prompt_tokens);
  const output_tokens = tokenCount(usage?.completion_tokens);
  if (input_tokens === undefined || output_tokens === undefined) return null;
  const { cached_tokens, cache_write_tokens } = usage?.prompt_tokens_details ?? {};
  return { input_tokens, output_tokens, ...cacheUsage(cached_tokens, cache_write_tokens) };
}
