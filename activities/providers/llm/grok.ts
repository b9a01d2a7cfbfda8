import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import type { ProviderReach } from '../load-provider.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider } from './provider.ts';
import { cacheUsage, tokenCount } from '../token-count.ts';

export const createProvider = (reach: ProviderReach): LlmProvider =>
  createOpenAiChat({ ...reach, provider: 'grok', defaultUrl: 'https://api.x.ai/v1', readUsage, readCost });

/** Returns the provider's counts. xAI's `completion_tokens` excludes reasoning, so the output is the total minus the prompt. */
function readUsage({ usage }: ChatCompletion): CallUsage | null {
  const input_tokens = tokenCount(usage?.prompt_tokens);
  const total = tokenCount(usage?.total_tokens);
  if (input_tokens === undefined || total === undefined || total < input_tokens) return null;
  return {
    input_tokens,
    output_tokens: total - input_tokens,
    ...cacheUsage(usage?.prompt_tokens_details?.cached_tokens),
  };
}

/** Highest plausible cost of a call. */
const MAX_COST_TICKS = 1e14;

/** Returns the charge in US dollars, sent in ticks of 10^-10. https://docs.x.ai/developers/cost-tracking */
function readCost({ usage }: ChatCompletion): number | undefined {
  const ticks = (usage as { cost_in_usd_ticks?: unknown } | undefined)?.cost_in_usd_ticks;
  return typeof ticks === 'number' && ticks >= 0 && ticks <= MAX_COST_TICKS ? ticks / 1e10 : undefined;
}
