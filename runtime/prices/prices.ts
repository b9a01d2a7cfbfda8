/** Computes what a provider call cost from the provider's counts. docs/decisions.md, "Prices". */
import { readFileSync } from 'node:fs';
import { calcPrice, type ModelPrice, type Provider } from '@pydantic/genai-prices';
import { z } from 'zod';
import type { ProviderName } from '../../contract/values/constants.ts';
import { PROVIDER_FACTS } from '../../contract/values/providers.ts';
import { ConfigError } from '../settings/config.ts';
import { roundUsd, type CallUsage } from './call-usage.ts';
import builtInOverrides from './price-overrides.json' with { type: 'json' };

/**
 * Returns the cost in US dollars; null if the price is unknown. Without a price of its own, `local` costs nothing.
 * @param served the model that answered, if the response names it.
 */
export type PriceOf = (
  provider: ProviderName,
  model: string | null,
  usage: CallUsage | null,
  served?: string,
) => number | null;

/** Returns the US dollars that a call of unknown price counts in budgets. Never shown as a cost. */
export type AssumePrice = (usage: CallUsage) => number;

interface UnknownPrices {
  perMtokUsd: number;
  perAudioHourUsd: number;
}

export function createAssumePrice({ perMtokUsd, perAudioHourUsd }: UnknownPrices): AssumePrice {
  return ({ input_tokens = 0, output_tokens = 0, audio_seconds = 0 }) =>
    roundUsd(((input_tokens + output_tokens) / 1e6) * perMtokUsd + (audio_seconds / 3_600) * perAudioHourUsd);
}

const usd = z.number().min(0);

/** One price, or tiers: a prompt of more than `start` tokens raises the price of the whole call. */
const tokenPrice = z.union([
  usd,
  z.object({ base: usd, tiers: z.array(z.object({ start: z.int().min(0), price: usd })).min(1) }),
]);

const OverridesSchema = z.object({
  prices: z.array(
    z.union([
      z.object({ provider: z.string(), model: z.string().nullable(), audio_hour: usd }),
      z.object({
        provider: z.string(),
        model: z.string(),
        input_mtok: tokenPrice,
        cache_read_mtok: tokenPrice,
        /** Default: the price of other input. */
        cache_write_mtok: tokenPrice.optional(),
        output_mtok: tokenPrice,
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

/** Returns the prices. Throws if the file is invalid. @param pricesFile replaces `price-overrides.json`. */
export function createPrices(pricesFile?: string): Prices {
  const { prices } = pricesFile === undefined ? OverridesSchema.parse(builtInOverrides) : readOwn(pricesFile);
  return {
    priceOf: priceBy(prices, pricesFile !== undefined),
    listedModels: (provider) => prices.filter((entry) => entry.provider === provider).map(({ model }) => model),
  };
}

/** Throws `ConfigError` if the operator's file can't be read. */
function readOwn(file: string) {
  try {
    return OverridesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`PRICES_FILE: ${(error as Error).message}`);
  }
}

export const createPriceOf = (pricesFile?: string): PriceOf => createPrices(pricesFile).priceOf;

/** @param isOwnFile an operator's price for the requested name takes precedence: a deployment may have any name. */
function priceBy(prices: readonly Override[], isOwnFile: boolean): PriceOf {
  return (provider, requested, usage, served) => {
    const unknown = provider === 'local' ? 0 : null;
    if (usage === null || isContradictory(usage)) return unknown;
    const find = (name: string | null) => prices.find((entry) => entry.provider === provider && entry.model === name);
    const names = namesOf(requested, served);
    const override = (isOwnFile ? find(requested) : undefined) ?? names.map(find).find(Boolean);
    const own = override ? overridePrice(override, usage) : null;
    const listed = () => names.map((name) => libraryPrice(provider, name, usage)).find((price) => price !== null);
    // If calls are billed by the token, a price per hour is only an average, used if the library has no price.
    const isAverage = override !== undefined && 'audio_hour' in override && usage.input_tokens !== undefined;
    const price = override && !isAverage ? own : (listed() ?? own);
    return price === null ? unknown : roundUsd(price);
  };
}

/** A date, or the latest version, behind the name of a model. */
const VERSION = /[-@:](?:\d{3,8}|\d{4}-\d\d-\d\d|latest)$/;

/** Returns the names under which a model can have a price: the version that answered, the requested name, and that without a version. */
function namesOf(requested: string | null, served: string | undefined): (string | null)[] {
  if (requested === null) return [null];
  const [wanted, given = ''] = [requested, served].map((name) => name?.toLowerCase().replace(/^.*\//, '')) as [
    string,
    string?,
  ];
  const stem = wanted.replace(VERSION, '');
  const isOther = given !== '' && given !== wanted && given.replace(VERSION, '') !== stem;
  return isOther ? [given] : [...new Set([given || wanted, requested, wanted, stem])];
}

/** If more tokens were cached than sent, the counts are wrong, and the price library would throw. */
const isContradictory = ({ input_tokens = 0, cache_read_tokens = 0, cache_write_tokens = 0 }: CallUsage) =>
  cache_read_tokens + cache_write_tokens > input_tokens;

function overridePrice(override: Override, usage: CallUsage): number | null {
  const { input_tokens, output_tokens, audio_seconds } = usage;
  if ('audio_hour' in override)
    return audio_seconds === undefined ? null : (audio_seconds / 3_600) * override.audio_hour;
  if (input_tokens === undefined || output_tokens === undefined) return null;
  const { provider, model, input_mtok, cache_write_mtok = input_mtok, cache_read_mtok, output_mtok } = override;
  const prices: ModelPrice = { input_mtok, cache_write_mtok, cache_read_mtok, output_mtok };
  const models = [{ id: model, match: { equals: model }, prices }];
  const found = calcPrice({ ...usage }, model, { provider: { id: provider, name: provider, api_pattern: '', models } });
  return found?.total_price ?? null;
}

/** Providers with a single model, by provider and requested name: the library matches the patterns of every model. */
const found = new Map<string, Provider>();
/** Clients choose names of models. */
const MAX_FOUND = 1_000;

function libraryPrice(provider: ProviderName, model: string | null, usage: CallUsage): number | null {
  const providerId = PROVIDER_FACTS[provider].price_library_name;
  if (providerId === undefined || model === null) return null;
  const key = `${providerId} ${model}`;
  const known = found.get(key);
  const price = calcPrice({ ...usage }, model, known ? { provider: known } : { providerId });
  if (price && !known) {
    if (found.size === MAX_FOUND) found.clear();
    found.set(key, { ...price.provider, models: [price.model] });
  }
  // The library returns 0 if the model is billed by another unit.
  return price === null || price.total_price === 0 ? null : price.total_price;
}
