/** The providers that assistants can use, with their models, prices and limits. */
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/constants.ts';
import type { LlmProviderName, ProviderName, SttProviderName } from '../../contract/constants.ts';
import {
  capabilityOf,
  LLM_PROVIDER_FACTS,
  STT_PROVIDER_FACTS,
  sttLanguages,
  sttLimits,
} from '../../contract/providers.ts';
import type { Provider, ProviderModel } from '../../contract/service.ts';
import { allowsAnyModel, isAllowedModel } from '../assistants/check-settings.ts';
import type { ApiDeps } from '../deps.ts';

type Deps = Pick<ApiDeps, 'config' | 'prices'>;

/** Few enough tokens for the lowest price tier of every model. */
const TOKENS = 1_000;
const TOKENS_PER_MTOK = 1_000_000;

export function listProviders(deps: Deps): Provider[] {
  return [
    ...STT_PROVIDERS.map((name): Provider => {
      const { default_model, max_channels } = STT_PROVIDER_FACTS[name];
      return {
        step: 'transcription',
        default_model,
        max_channels,
        languages: listOrNull(sttLanguages(name)),
        ...presentAccess(deps, name),
        models: modelsOf(deps, name, default_model).map((model) => presentSttModel(deps, name, model)),
      };
    }),
    ...LLM_PROVIDERS.map((name): Provider => {
      const { default_model } = LLM_PROVIDER_FACTS[name];
      return {
        step: 'analysis',
        default_model,
        max_channels: null,
        languages: null,
        ...presentAccess(deps, name),
        models: modelsOf(deps, name, default_model).map((model) => presentLlmModel(deps, name, model ?? '')),
      };
    }),
  ];
}

const listOrNull = (values: readonly string[] | null) => values && [...values];

function presentAccess({ config }: Deps, provider: ProviderName) {
  const { apiKey, isSimulated } = config.providers[provider];
  const any_model = allowsAnyModel(config, provider);
  return { provider, configured: apiKey !== undefined, simulated: isSimulated, any_model };
}

/** Returns the allowed models among the default, those with a price, and those in `ALLOWED_MODELS`. */
function modelsOf({ config, prices }: Deps, provider: ProviderName, byDefault: string | null): (string | null)[] {
  const rules = config.allowedModels.filter((rule) => rule.startsWith(`${provider}/`) && !rule.endsWith('/*'));
  const named = rules.map((rule) => rule.slice(provider.length + 1));
  const known = new Set([byDefault, ...prices.listedModels(provider), ...named]);
  return [...known].filter((model) => isAllowedModel(config, provider, model));
}

function presentSttModel({ prices }: Deps, provider: SttProviderName, model: string | null): ProviderModel {
  const audio_hour_usd = prices.priceOf(provider, model, { audio_seconds: 3_600 });
  const { media_types, ...limits } = sttLimits(provider, model);
  return {
    model,
    prices: audio_hour_usd === null ? null : { input_mtok_usd: null, output_mtok_usd: null, audio_hour_usd },
    takes_temperature: null,
    ...limits,
    media_types: listOrNull(media_types),
  };
}

function presentLlmModel({ prices }: Deps, provider: LlmProviderName, model: string): ProviderModel {
  const perMtok = (input_tokens: number, output_tokens: number) => {
    const usd = prices.priceOf(provider, model, { input_tokens, output_tokens });
    return usd === null ? null : (usd * TOKENS_PER_MTOK) / TOKENS;
  };
  const [input_mtok_usd, output_mtok_usd] = [perMtok(TOKENS, 0), perMtok(0, TOKENS)];
  return {
    model,
    prices: input_mtok_usd === null ? null : { input_mtok_usd, output_mtok_usd, audio_hour_usd: null },
    takes_temperature: capabilityOf(provider, model).temperature === 'send',
    max_bytes: null,
    max_duration_s: null,
    media_types: null,
  };
}
