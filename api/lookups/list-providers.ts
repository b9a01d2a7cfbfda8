/** What assistants can choose: providers with their models, prices and limits. */
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/constants.ts';
import type { LlmProviderName, ProviderName, SttProviderName } from '../../contract/constants.ts';
import { capabilityOf, LLM_PROVIDER_FACTS, STT_PROVIDER_FACTS, sttLimits } from '../../contract/providers.ts';
import type { ModelPrices, Provider, ProviderModel } from '../../contract/service.ts';
import { allowsAnyModel, isAllowedModel } from '../allowed-models.ts';
import type { ApiDeps } from '../deps.ts';

type Deps = Pick<ApiDeps, 'config' | 'prices'>;

/** Tokens that a price is asked for, few enough to be in the lowest tier of every model. */
const TOKENS = 1_000;
const TOKENS_PER_MTOK = 1_000_000;

export function listProviders(deps: Deps): Provider[] {
  return [
    ...STT_PROVIDERS.map((name): Provider => ({
      ...{ step: 'transcription', default_model: STT_PROVIDER_FACTS[name].default_model },
      max_channels: STT_PROVIDER_FACTS[name].max_channels,
      ...describeAccess(deps, name),
      models: modelsOf(deps, name, STT_PROVIDER_FACTS[name].default_model).map((model) =>
        describeSttModel(deps, name, model),
      ),
    })),
    ...LLM_PROVIDERS.map((name): Provider => ({
      ...{ step: 'analysis', default_model: LLM_PROVIDER_FACTS[name].default_model, max_channels: null },
      ...describeAccess(deps, name),
      models: modelsOf(deps, name, LLM_PROVIDER_FACTS[name].default_model).map((model) =>
        describeLlmModel(deps, name, model ?? ''),
      ),
    })),
  ];
}

function describeAccess({ config }: Deps, provider: ProviderName) {
  const { apiKey, isSimulated } = config.providers[provider];
  const any_model = allowsAnyModel(config, provider);
  return { provider, configured: apiKey !== undefined, simulated: isSimulated, any_model };
}

/** Returns the default, the models of the price list and those that `ALLOWED_MODELS` names, as far as they are allowed. */
function modelsOf({ config, prices }: Deps, provider: ProviderName, byDefault: string | null): (string | null)[] {
  const rules = config.allowedModels.filter((rule) => rule.startsWith(`${provider}/`) && !rule.endsWith('/*'));
  const named = rules.map((rule) => rule.slice(provider.length + 1));
  const known = new Set([byDefault, ...prices.listedModels(provider), ...named]);
  return [...known].filter((model) => isAllowedModel(config, provider, model));
}

function describeSttModel({ prices }: Deps, provider: SttProviderName, model: string | null): ProviderModel {
  const hour = prices.priceOf(provider, model, { audio_seconds: 3_600 });
  const listed: ModelPrices = { input_mtok_usd: null, output_mtok_usd: null, audio_hour_usd: hour };
  return { model, prices: hour === null ? null : listed, takes_temperature: null, ...sttLimits(provider, model) };
}

function describeLlmModel({ prices }: Deps, provider: LlmProviderName, model: string): ProviderModel {
  const perMtok = (input_tokens: number, output_tokens: number) => {
    const usd = prices.priceOf(provider, model, { input_tokens, output_tokens });
    return usd === null ? null : (usd * TOKENS_PER_MTOK) / TOKENS;
  };
  const listed = { input_mtok_usd: perMtok(TOKENS, 0), output_mtok_usd: perMtok(0, TOKENS), audio_hour_usd: null };
  return {
    model,
    prices: listed.input_mtok_usd === null ? null : listed,
    takes_temperature: capabilityOf(provider, model).temperature === 'send',
    ...{ max_bytes: null, max_duration_s: null },
  };
}
