/** Checks an assistant's settings beyond their schema. Each function returns the errors. */
import { isDeepStrictEqual } from 'node:util';
import {
  AUTO_DETECT,
  languageCode,
  type LlmProviderName,
  type SttProviderName,
} from '../../contract/values/constants.ts';
import { RECOGNIZER_KINDS } from '../../contract/values/redaction-kinds.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import type { Fallback } from '../../contract/assistants/versioned-settings.ts';
import { errorAt, type FieldFault } from '../../contract/errors/field-errors.ts';
import {
  capabilityOf,
  keyVariable,
  stepProvider,
  STT_PROVIDER_FACTS,
  STT_PROVIDERS,
  sttLanguages,
  urlVariable,
} from '../../contract/values/providers.ts';
import type { NewAssistant } from '../../db/models/assistant.ts';
import { BlockedAddressError } from '../../runtime/outbound/address-guard.ts';
import type { ApiDeps } from '../deps.ts';

type Config = ApiDeps['config'];

type Models = Pick<NewAssistant, 'llm_provider' | 'llm_model' | 'stt_provider' | 'stt_model'>;

type Settings = Models &
  Reasoning &
  Pick<NewAssistant, 'type' | 'fallback' | 'channel_roles' | 'redaction' | 'stt_language' | 'retention_days'>;

/** The provider and model chosen for one step. */
export type StepChoice =
  | { step: 'analysis'; provider: LlmProviderName }
  | { step: 'transcription'; provider: SttProviderName };

/** A provider and model. `path` starts the names of the two fields: `fallback.llm`. */
type Choice = StepChoice & { path: string; model: string | null };

type ModelRules = Pick<Config, 'allowedModels' | 'providers'>;

/** Returns whether the setting `ALLOWED_MODELS`, and for `local` its list of models, allow the model. */
export function isAllowedModel(config: ModelRules, choice: StepChoice, model: string | null): boolean {
  const { models } = accessOf(config, choice);
  const isListed = models.length === 0 || models.some((each) => each === model);
  return isListed && (allowsEvery(config, choice) || config.allowedModels.includes(`${choice.provider}/${model}`));
}

export const allowsAnyModel = (config: ModelRules, choice: StepChoice): boolean =>
  accessOf(config, choice).models.length === 0 && allowsEvery(config, choice);

const allowsEvery = ({ allowedModels }: ModelRules, { provider }: StepChoice) =>
  allowedModels.length === 0 || allowedModels.includes(`${provider}/*`);

export const accessOf = ({ providers }: Pick<Config, 'providers'>, { step, provider }: StepChoice) =>
  step === 'analysis' ? providers.analysis[provider] : providers.transcription[provider];

/** Returns all errors of the settings except a blocked URL. Settings that equal those `before` a change are not checked. */
export function findInvalidSettings(config: Config, columns: Settings, before?: Settings): PropertyError[] {
  const isFallbackNew = !isDeepStrictEqual(columns.fallback, before?.fallback ?? null);
  return [
    ...findUnusableModels(config, columns, before),
    ...(isFallbackNew && columns.fallback ? findUnusableFallback(config, columns, columns.fallback) : []),
    ...(haveSameModel(columns, before) ? [] : findUnknownEffort(columns)),
    ...findUnsupportedSpeech(columns, before),
    ...(isDeepStrictEqual(columns.redaction, before?.redaction ?? null) ? [] : findUnusableRedaction(config, columns)),
    ...(columns.retention_days === before?.retention_days ? [] : findTooLongRetention(config, columns)),
  ];
}

/** Returns the providers of the settings, those of the transcription after those of the analysis. */
function choicesOf(settings: Models | Fallback, prefix = ''): Choice[] {
  const { llm_provider, llm_model, stt_provider, stt_model } = settings;
  return [
    ...(llm_provider === null ? [] : [analysisBy(llm_provider, llm_model, `${prefix}llm`)]),
    ...(stt_provider === null
      ? []
      : [{ step: 'transcription', path: `${prefix}stt`, provider: stt_provider, model: stt_model } as const]),
  ];
}

const analysisBy = (provider: LlmProviderName, model: string | null, path = 'llm') =>
  ({ step: 'analysis', path, provider, model }) as const;

function findUnusableModels(config: Config, columns: Models, before: Models | undefined): PropertyError[] {
  const formerChoices = before ? choicesOf(before) : [];
  return choicesOf(columns).flatMap((choice) => {
    const former = formerChoices.find(({ path }) => path === choice.path);
    return [
      ...(choice.provider === former?.provider ? [] : findMissingKey(config, choice)),
      ...(isDeepStrictEqual(choice, former) ? [] : findForbiddenModel(config, choice)),
    ];
  });
}

/** Returns an error for each model that the server does not allow. */
export const findForbiddenModels = (config: Config, columns: Models): PropertyError[] =>
  choicesOf(columns).flatMap((choice) => findForbiddenModel(config, choice));

/** Returns an error if the server has no key for the provider of the analysis, or does not allow its model. */
export const findUnusableLlm = (config: Config, { llm_provider, llm_model }: Models): PropertyError[] =>
  findUnusable(config, analysisBy(llm_provider, llm_model));

type Reasoning = Pick<NewAssistant, 'llm_provider' | 'llm_model' | 'reasoning_effort' | 'max_output_tokens'>;

const haveSameModel = (some: Reasoning, others: Reasoning | undefined) =>
  (['llm_provider', 'llm_model', 'reasoning_effort', 'max_output_tokens'] as const).every(
    (name) => some[name] === others?.[name],
  );

/** Returns an error for a reasoning effort or an output limit that the model is known to refuse. */
export function findUnknownEffort({ llm_provider, llm_model, ...chosen }: Reasoning): PropertyError[] {
  const { efforts, max_output_tokens } = capabilityOf(llm_provider, llm_model);
  const { reasoning_effort } = chosen;
  return [
    ...(reasoning_effort !== null && efforts?.includes(reasoning_effort) === false
      ? [errorAt('reasoning_effort', 'option', { options: efforts.length === 0 ? 'null' : efforts.join('|') })]
      : []),
    ...(max_output_tokens !== undefined && (chosen.max_output_tokens ?? 0) > max_output_tokens
      ? [errorAt('max_output_tokens', 'maximum', { type: 'number', max: max_output_tokens })]
      : []),
  ];
}

function findUnusable(config: Config, choice: Choice): PropertyError[] {
  const missing = findMissingKey(config, choice);
  return missing.length > 0 ? missing : findForbiddenModel(config, choice);
}

function findMissingKey(config: Config, choice: Choice): PropertyError[] {
  if (accessOf(config, choice).apiKey !== undefined) return [];
  const { path, step, provider } = choice;
  const facts = stepProvider(step, provider);
  const missing =
    provider === 'local'
      ? { what: 'URL', variable: urlVariable(facts) }
      : { what: 'key', variable: keyVariable(facts) };
  return [errorAt(`${path}_provider`, 'no_key', { ...missing, provider })];
}

function findForbiddenModel(config: Config, choice: Choice): PropertyError[] {
  const { step, provider, model } = choice;
  const path = `${choice.path}_model`;
  const variable = step === 'analysis' ? 'LOCAL_LLM_MODELS' : 'LOCAL_STT_MODELS';
  if (provider === 'local' && !model) return [errorAt(path, 'required_fallback', { variable })];
  if (isAllowedModel(config, choice, model)) return [];
  const name = model === null ? provider : `${provider}/${model}`;
  const rules = provider === 'local' ? `ALLOWED_MODELS and ${variable} list` : 'ALLOWED_MODELS lists';
  return [errorAt(path, 'model_not_allowed', { model: name, rules })];
}

function findUnusableFallback(config: Config, columns: Settings, fallback: Fallback): PropertyError[] {
  return choicesOf(fallback, 'fallback.').flatMap((choice) => {
    const path = `${choice.path}_provider`;
    const replaced = choice.step === 'analysis' ? columns.llm_provider : columns.stt_provider;
    if (choice.provider === replaced) return [errorAt(path, 'other_provider')];
    if (path === STT_FALLBACK && columns.type !== 'voice') return [errorAt(path, 'only_voice')];
    return findUnusable(config, choice);
  });
}

const STT_FALLBACK = 'fallback.stt_provider';

/** Returns an error for each provider that cannot transcribe the channels, or a new language. */
function findUnsupportedSpeech(columns: Settings, before: Settings | undefined): PropertyError[] {
  const { channel_roles, stt_language, stt_provider, fallback } = columns;
  const channels = channel_roles?.length ?? 0;
  const code = languageCode(stt_language ?? AUTO_DETECT);
  const isNewLanguage = stt_language !== before?.stt_language;
  const providers = [
    {
      provider: stt_provider,
      former: before?.stt_provider,
      channelPath: 'channel_roles',
      languagePath: 'stt_language',
    },
    {
      provider: fallback?.stt_provider ?? null,
      former: before?.fallback?.stt_provider,
      channelPath: STT_FALLBACK,
      languagePath: STT_FALLBACK,
    },
  ];
  return providers.flatMap(({ provider, former, channelPath, languagePath }) => {
    if (provider === null) return [];
    const errors: PropertyError[] = [];
    if (channels > STT_PROVIDER_FACTS[provider].max_channels) {
      errors.push(errorAt(channelPath, ...tooManyChannels(provider, channels)));
    }
    const languages = isNewLanguage || provider !== former ? sttLanguages(provider) : null;
    if (code !== undefined && languages && !languages.includes(code)) {
      const accepted = `${languages.join(', ')} and ${AUTO_DETECT}`;
      errors.push(errorAt(languagePath, 'languages', { provider, languages: accepted }));
    }
    return errors;
  });
}

function tooManyChannels(provider: SttProviderName, channels: number): FieldFault {
  const max = STT_PROVIDER_FACTS[provider].max_channels;
  if (max > 1) return ['channels', { provider, max }];
  const able = STT_PROVIDERS.filter((name) => STT_PROVIDER_FACTS[name].max_channels >= channels);
  return ['channels:mixed', { provider, providers: able.join(' or ') }];
}

function findUnusableRedaction(
  { redaction: { url } }: Config,
  { redaction }: Pick<Settings, 'redaction'>,
): PropertyError[] {
  if (url !== undefined) return [];
  return (redaction?.entities ?? []).flatMap((kind, index) =>
    RECOGNIZER_KINDS.some((own) => own === kind) ? [errorAt(`redaction.entities.${index}`, 'redaction', { kind })] : [],
  );
}

function findTooLongRetention(
  { sessionRetentionDays: most }: Config,
  { retention_days }: Pick<Settings, 'retention_days'>,
): PropertyError[] {
  if (most === 0 || retention_days === null || retention_days <= most) return [];
  return [errorAt('retention_days', 'server_maximum', { max: most, variable: 'SESSION_RETENTION_DAYS' })];
}

/** The URLs of an assistant's webhook and alerts. */
interface Urls {
  webhook_url?: string | null | undefined;
  alerts?: readonly { url: string }[] | null | undefined;
}

/** Returns an error for each URL that leads to a denied address. URLs among those `before` a change are not checked. */
export async function findBlockedUrls(
  { guard }: Pick<ApiDeps, 'guard'>,
  { webhook_url, alerts }: Urls,
  before: Urls = {},
): Promise<PropertyError[]> {
  const known = [before.webhook_url, ...(before.alerts ?? []).map(({ url }) => url)];
  const named = [
    { path: 'webhook_url', url: webhook_url },
    ...(alerts ?? []).map(({ url }, index) => ({ path: `alerts.${index}.url`, url })),
  ];
  const found = await Promise.all(
    named.map(async ({ path, url }) => {
      if (url == null || known.includes(url) || !(await isBlocked(guard, url))) return [];
      return [errorAt(path, ...privateAddress(url, 'WEBHOOK_ALLOW_HOSTS'))];
    }),
  );
  return found.flat();
}

/** Returns what is wrong with a URL that leads to a denied address. @param variable the setting that allows addresses. */
export function privateAddress(url: string, variable: string): FieldFault {
  const { hostname: host } = new URL(url);
  return /^[^.:[]+$/.test(host) && host !== 'localhost'
    ? ['private_address:short', { host, variable }]
    : ['private_address'];
}

/** Returns whether the URL leads to a denied address; false for names that do not resolve within 2 s. */
export async function isBlocked(guard: ApiDeps['guard'], url: string): Promise<boolean> {
  try {
    await guard.resolve(new URL(url).hostname);
    return false;
  } catch (error) {
    return error instanceof BlockedAddressError;
  }
}
