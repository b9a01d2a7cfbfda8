/** Computes what a call cost from the vendor's counts. docs/decisions.md, "Prices". */
import { readFileSync } from 'node:fs';
import { calcPrice } from '@pydantic/genai-prices';
import { z } from 'zod';
import type { ProviderName } from '../../contract/constants.ts';
import { PROVIDER_FACTS } from '../../contract/providers.ts';
import type { CallUsage } from '../../db/models/vendor-call.ts';
import { roundUsd } from '../../db/models/vendor-call.ts';
import builtInOverrides from './price-overrides.json' with { type: 'json' };

/** Returns the cost in US dollars; null if the price is not known, because none is made up. */
export type PriceOf = (provider: ProviderName, model: string | null, usage: CallUsage | null) => number | null;

/** Returns the US dollars that a call of unknown price counts for in budgets. They are shown nowhere as a cost. */
export type AssumePrice = (usage: CallUsage) => number;

export interface UnknownPrices {
  perMtokUsd: number;
  perAudioHourUsd: number;
}

export function createAssumePrice({ perMtokUsd, perAudioHourUsd }: UnknownPrices): AssumePrice {
  return ({ input_tokens = 0, output_tokens = 0, audio_seconds = 0 }) =>
    roundUsd(((input_tokens + output_tokens) / 1e6) * perMtokUsd + (audio_seconds / 3_600) * perAudioHourUsd);
}

const price = z.number().min(0);
const OverridesSchema = z.object({
  prices: z.array(
    z.union([
      z.object({ provider: z.string(), model: z.string().nullable(), audio_hour: price }),
      z.object({
        provider: z.string(),
        model: z.string(),
        input_mtok: price,
        cache_read_mtok: price,
        output_mtok: price,
      }),
    ]),
  ),
});

type Override = z.output<typeof OverridesSchema>['prices'][number];

export interface Prices {
  priceOf: PriceOf;
  /** Returns the models of a provider that the overrides name. */
  listedModels: (provider: ProviderName) => (string | null)[];
}

/**
 * Returns what prices calls. Throws if the file can't be used.
 * @param pricesFile a file in the form of `price-overrides.json` that replaces it.
 */
export function createPrices(pricesFile?: string): Prices {
  const source: unknown = pricesFile === undefined ? builtInOverrides : JSON.parse(readFileSync(pricesFile, 'utf8'));
  const { prices } = OverridesSchema.parse(source);
  return {
    priceOf: priceBy(prices),
    listedModels: (provider) => prices.filter((entry) => entry.provider === provider).map(({ model }) => model),
  };
}

export const createPriceOf = (pricesFile?: string): PriceOf => createPrices(pricesFile).priceOf;

function priceBy(prices: readonly Override[]): PriceOf {
  return (provider, model, usage) => {
    // Where more was read from the cache than was sent, the price library throws and neither number can be believed.
    if (usage === null || (usage.cache_read_tokens ?? 0) > (usage.input_tokens ?? 0)) return null;
    const override = prices.find((entry) => entry.provider === provider && entry.model === model);
    const own = override ? overridePrice(override, usage) : null;
    // Where calls are billed by the token, a price per hour is the vendor's own average: it counts if nothing better is
    // known.
    const isAverage = override !== undefined && 'audio_hour' in override && usage.input_tokens !== undefined;
    const usd = override && !isAverage ? own : (libraryPrice(provider, model, usage) ?? own);
    return usd === null ? null : roundUsd(usd);
  };
}

function overridePrice(override: Override, usage: CallUsage): number | null {
  const { input_tokens, output_tokens, audio_seconds, cache_read_tokens = 0 } = usage;
  if ('audio_hour' in override)
    return audio_seconds === undefined ? null : (audio_seconds / 3_600) * override.audio_hour;
  if (input_tokens === undefined || output_tokens === undefined) return null;
  const { input_mtok, cache_read_mtok, output_mtok } = override;
  return (
    ((input_tokens - cache_read_tokens) * input_mtok +
      cache_read_tokens * cache_read_mtok +
      output_tokens * output_mtok) /
    1e6
  );
}

function libraryPrice(provider: ProviderName, model: string | null, usage: CallUsage): number | null {
  const providerId = PROVIDER_FACTS[provider].price_library_name;
  if (providerId === undefined || model === null) return null;
  const found = calcPrice({ ...usage }, model, { providerId });
  // The library prices a model at 0 if that model is billed by another unit than the one counted.
  return found === null || found.total_price === 0 ? null : found.total_price;
}
