/** The providers that assistants can use, with their models, prices and limits. */
import type { LlmProviderName, SttProviderName } from '../../contract/values/constants.ts';
import {
  capabilityOf,
  retirementOf,
  LLM_PROVIDERS,
  STT_PROVIDER_FACTS,
  STT_PROVIDERS,
  sttLanguages,
  sttLimits,
} from '../../contract/values/providers.ts';
import type { Provider, ProviderModel } from '../../contract/service/service.ts';
import { accessOf, allowsAnyModel, isAllowedModel, type StepChoice } from '../assistants/check-settings.ts';
import type { ApiDeps } from '../deps.ts';

type ListDeps = Pick<ApiDeps, 'config' | 'prices'>;

/** Few enough tokens for the lowest price tier of every model. */
const TOKENS = 1_000;
const TOKENS_PER_MTOK = 1_000_000;

export function listProviders(deps: ListDeps): Provider[] {
  return [
    ...STT_PROVIDERS.map((provider): Provider => {
      const choice = { step: 'transcription', provider } as const;
      return {
        ...presentAccess(deps, choice),
        max_channels: STT_PROVIDER_FACTS[provider].max_channels,
        languages: listOrNull(sttLanguages(provider)),
        models: modelsOf(deps, choice).map((model) => presentSttModel(deps, provider, model)),
      };
    }),
    ...LLM_PROVIDERS.map((provider): Provider => {
      const choice = { step: 'analysis', provider } as const;
      return {
        ...presentAccess(deps, choice),
        max_channels: null,
        languages: null,
        models: modelsOf(deps, choice).map((model) => presentLlmModel(deps, provider, model ?? '')),
      };
    }),
  ];
}

const listOrNull = (values: readonly string[] | null) => values && [...values];

function presentAccess({ config }: ListDeps, choice: StepChoice) {
  const { apiKey, isSimulated, defaultModel } = accessOf(config, choice);
  return {
    ...choice,
    configured: apiKey !== undefined,
    simulated: isSimulated,
    default_model: defaultModel,
    any_model: allowsAnyModel(config, choice),
  };
}

/** Returns the allowed models among the default, those with a price, and those that the settings name. */
function modelsOf({ config, prices }: ListDeps, choice: StepChoice): (string | null)[] {
  const { provider } = choice;
  const { defaultModel, models } = accessOf(config, choice);
  const rules = config.allowedModels.filter((rule) => rule.startsWith(`${provider}/`) && !rule.endsWith('/*'));
  const named = rules.map((rule) => rule.slice(provider.length + 1));
  const byDefault = provider === 'local' ? [] : [defaultModel];
  const known = new Set([...byDefault, ...models, ...prices.listedModels(provider), ...named]);
  return [...known].filter((model) => isAllowedModel(config, choice, model));
}

function presentSttModel({ prices }: ListDeps, provider: SttProviderName, model: string | null): ProviderModel {
  const audio_hour_usd = prices.priceOf(provider, model, { audio_seconds: 3_600 });
  const { media_types, ...limits } = sttLimits(provider, model);
  return {
    model,
    prices: audio_hour_usd === null ? null : { input_mtok_usd: null, output_mtok_usd: null, audio_hour_usd },
    takes_temperature: null,
    retires_on: retirementOf(provider, model),
    ...limits,
    media_types: listOrNull(media_types),
  };
}

function presentLlmModel({ prices }: ListDeps, provider: LlmProviderName, model: string): ProviderModel {
  const perMtok = (input_tokens: number, output_tokens: number) => {
    const usd = prices.priceOf(provider, model, { input_tokens, output_tokens });
    return usd === null ? null : (usd * TOKENS_PER_MTOK) / TOKENS;
  };
  const [input_mtok_usd, output_mtok_usd] = [perMtok(TOKENS, 0), perMtok(0, TOKENS)];
  return {
    model,
    prices: input_mtok_usd === null ? null : { input_mtok_usd, output_mtok_usd, audio_hour_usd: null },
    takes_temperature: capabilityOf(provider, model).temperature === 'send',
    retires_on: retirementOf(provider, model),
    max_bytes: null,
    max_duration_s: null,
    media_types: null,
  };
}
