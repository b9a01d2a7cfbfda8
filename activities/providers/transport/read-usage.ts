/** Reads usage, charge and what served a call in the responses of providers; most have OpenAI's format. */
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';

type Json = Record<string, unknown>;
export const membersOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/**
 * Returns the provider's counts. `prompt_tokens` includes cached tokens. The output is the total minus the prompt if that is
 * more than `completion_tokens`, which excludes reasoning at xAI and at Gemini's compatible address.
 */
export function readUsage(usage: unknown): CallUsage | null {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details } = membersOf(usage);
  const input_tokens = tokenCount(prompt_tokens);
  const [completion, total] = [tokenCount(completion_tokens), tokenCount(total_tokens)];
  if (input_tokens === undefined || (completion === undefined && (total === undefined || total < input_tokens)))
    return null;
  const output_tokens = Math.max(completion ?? 0, (total ?? 0) - input_tokens);
  const { cached_tokens, cache_write_tokens } = membersOf(prompt_tokens_details);
  return { input_tokens, output_tokens, ...cacheUsage(cached_tokens, cache_write_tokens) };
}

/** Highest plausible charge of a call in US dollars. */
const MAX_CHARGE_USD = 10_000;

function charge(value: unknown, scale = 1): number | undefined {
  const usd = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) * scale : -1;
  return usd >= 0 && usd <= MAX_CHARGE_USD ? usd : undefined;
}

/**
 * Returns what the provider or gateway charged, in US dollars: xAI in ticks of 10^-10, OpenRouter in `usage.cost` (without
 * what the caller's own key paid), Perplexity in a member of it, DeepInfra in `estimated_cost`, LiteLLM in a header, which
 * is 0 for unknown prices.
 * https://docs.x.ai/developers/cost-tracking https://openrouter.ai/docs/use-cases/usage-accounting
 */
export function readCharge(usage: unknown, headers?: Headers): number | undefined {
  const { cost, estimated_cost, cost_in_usd_ticks, is_byok, cost_details } = membersOf(usage);
  const ticks = typeof cost_in_usd_ticks === 'number' ? charge(cost_in_usd_ticks, 1e-10) : undefined;
  if (ticks !== undefined) return ticks;
  const told = charge(cost) ?? charge(membersOf(cost)['total_cost']) ?? charge(estimated_cost);
  const upstream = is_byok === true ? charge(membersOf(cost_details)['upstream_inference_cost']) : 0;
  if (told !== undefined && upstream !== undefined) return told + upstream;
  return charge(headers?.get('x-litellm-response-cost')) || undefined;
}

/** Factors of the list price by tier. A tier without an entry has prices of its own. https://openai.com/api/pricing */
const TIERS: Record<string, number> = { default: 1, standard: 1, auto: 1, on_demand: 1, flex: 0.5, batch: 0.5 };

/** Addresses of OpenAI in one region cost 10 % more, from gpt-5.4 on. */
const REGIONAL_URL = /^https?:\/\/[a-z]{2,3}\.api\.openai\.com\b/;
const REGIONAL_MODEL = /^gpt-(?:5\.[4-9]|[6-9])/;

/** Returns the model that answered, and the factor of its price. A local server has prices of its own only. */
export function readServedBy(provider: LlmProviderName, requested: string, response: unknown, baseUrl = ''): ServedBy {
  const { model, service_tier } = membersOf(response);
  const isRegional = REGIONAL_URL.test(baseUrl) && REGIONAL_MODEL.test(typeof model === 'string' ? model : requested);
  return servedBy(
    model,
    [provider === 'local' ? null : service_tier, TIERS],
    [isRegional ? 'yes' : null, { yes: 1.1 }],
  );
}

/** What answered a call, if that may be something else than what was requested. */
export interface ServedBy {
  /** The model that the response names. */
  model: string | undefined;
  /** Factor of the list price, by tier and region; null: unknown. */
  factor: number | null;
}

/** @param told what a response says about its tier, region and speed, and the factor of each value. Without a value: 1. */
export function servedBy(model: unknown, ...told: [value: unknown, factors: Record<string, number>][]): ServedBy {
  const factors = told.map(([value, known]) => {
    if (value == null) return 1;
    return typeof value === 'string' ? known[value.toLowerCase()] : undefined;
  });
  const factor = factors.reduce<number>((product, each) => product * (each ?? Number.NaN), 1);
  return { model: typeof model === 'string' ? model : undefined, factor: Number.isNaN(factor) ? null : factor };
}

/** Returns a count that a provider reported; undefined if it is missing, negative, fractional or absurdly large. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9 ? value : undefined;
}

/** Returns the counts of cached tokens that a provider reported, without zero and unusable ones. */
export function cacheUsage(
  read: unknown,
  written?: unknown,
): Pick<CallUsage, 'cache_read_tokens' | 'cache_write_tokens'> {
  const [cache_read_tokens, cache_write_tokens] = [tokenCount(read), tokenCount(written)];
  return { ...(cache_read_tokens && { cache_read_tokens }), ...(cache_write_tokens && { cache_write_tokens }) };
}
