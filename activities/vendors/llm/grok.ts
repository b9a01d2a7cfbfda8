import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider, LlmReach } from './provider.ts';
import { tokenCount } from '../token-count.ts';

export function createProvider({ apiKey, baseUrl, timeoutMs }: LlmReach): LlmProvider {
  return createOpenAiChat({
    provider: 'grok',
    apiKey,
    baseUrl: baseUrl ?? 'https://api.x.ai/v1',
    timeoutMs,
    readUsage,
    readCost,
  });
}

/**
 * Returns the vendor's counts. xAI leaves reasoning out of `completion_tokens`, so the output is the total less the
 * prompt.
 */
function readUsage({ usage }: ChatCompletion): CallUsage | null {
  const input_tokens = tokenCount(usage?.prompt_tokens);
  const total = tokenCount(usage?.total_tokens);
  if (input_tokens === undefined || total === undefined || total < input_tokens) return null;
  const cached = tokenCount(usage?.prompt_tokens_details?.cached_tokens);
  return { input_tokens, output_tokens: total - input_tokens, ...(cached && { cache_read_tokens: cached }) };
}

/** The most that a call is believed to cost. A higher charge is as absurd as a negative one. */
const MAX_COST_TICKS = 1e14;

/**
 * Returns the exact charge in US dollars; the vendor sends ticks of 10^-10. https://docs.x.ai/developers/cost-tracking
 */
function readCost({ usage }: ChatCompletion): number | undefined {
  const ticks = (usage as { cost_in_usd_ticks?: unknown } | undefined)?.cost_in_usd_ticks;
  return typeof ticks === 'number' && ticks >= 0 && ticks <= MAX_COST_TICKS ? ticks / 1e10 : undefined;
}
