/** Checks an assistant's settings beyond their schema. Each function returns the errors. */
import { isDeepStrictEqual } from 'node:util';
import { AUTO_DETECT, STT_PROVIDERS } from '../../contract/constants.ts';
import type { ProviderName, SttProviderName } from '../../contract/constants.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { Fallback } from '../../contract/versioned-settings.ts';
import { languageCode } from '../../contract/constants.ts';
import { keyVariable, STT_PROVIDER_FACTS, sttLanguages } from '../../contract/providers.ts';
import type { NewAssistant } from '../../db/models/assistant.ts';
import { BlockedAddressError } from '../../runtime/outbound/address-guard.ts';
import type { ApiDeps } from '../deps.ts';

type Config = ApiDeps['config'];

type Models = Pick<NewAssistant, 'llm_provider' | 'llm_model' | 'stt_provider' | 'stt_model'>;

type Settings = Models & Pick<NewAssistant, 'type' | 'fallback' | 'channel_roles' | 'stt_language' | 'retention_days'>;

/** A provider and model. `path` starts the names of the two fields: `fallback.llm`. */
interface Choice {
  path: string;
  provider: ProviderName;
  model: string | null;
}

/** Returns whether the setting `ALLOWED_MODELS` allows the model. */
export function isAllowedModel(config: Pick<Config, 'allowedModels'>, provider: ProviderName, model: string | null) {
  return allowsAnyModel(config, provider) || config.allowedModels.includes(`${provider}/${model}`);
}

export function allowsAnyModel({ allowedModels }: Pick<Config, 'allowedModels'>, provider: ProviderName): boolean {
  return allowedModels.length === 0 || allowedModels.includes(`${provider}/*`);
}

/** Returns all errors of the settings except a blocked URL. Settings that equal those `before` a change are not checked. */
export function findInvalidSettings(config: Config, columns: Settings, before?: Settings): FieldError[] {
  const isFallbackNew = !isDeepStrictEqual(columns.fallback, before?.fallback ?? null);
  return [
    ...findUnusableModels(config, columns, before),
    ...(isFallbackNew && columns.fallback ? findUnusableFallback(config, columns, columns.fallback) : []),
    ...findUnsupportedSpeech(columns, before),
    ...(columns.retention_days === before?.retention_days ? [] : findTooLongRetention(config, columns)),
  ];
}

/** Returns the providers of the settings, those of the transcription after those of the analysis. */
function choicesOf(settings: Models | Fallback, prefix = ''): Choice[] {
  return (['llm', 'stt'] as const).flatMap((kind) => {
    const provider = settings[`${kind}_provider`];
    return provider === null ? [] : [{ path: prefix + kind, provider, model: settings[`${kind}_model`] }];
  });
}

function findUnusableModels(config: Config, columns: Models, before: Models | undefined): FieldError[] {
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
export const findForbiddenModels = (config: Config, columns: Models): FieldError[] =>
  choicesOf(columns).flatMap((choice) => findForbiddenModel(config, choice));

/** Returns an error if the server has no key for the provider of the analysis, or does not allow its model. */
export const findUnusableLlm = (config: Config, { llm_provider, llm_model }: Models): FieldError[] =>
  findUnusable(config, { path: 'llm', provider: llm_provider, model: llm_model });

function findUnusable(config: Config, choice: Choice): FieldError[] {
  const missing = findMissingKey(config, choice);
  return missing.length > 0 ? missing : findForbiddenModel(config, choice);
}

function findMissingKey({ providers }: Config, { path, provider }: Choice): FieldError[] {
  if (providers[provider].apiKey !== undefined) return [];
  const message = `this server has no key for ${provider}: ${keyVariable(provider)} is not set`;
  return [{ path: `${path}_provider`, message }];
}

function findForbiddenModel(config: Config, { path, provider, model }: Choice): FieldError[] {
  if (isAllowedModel(config, provider, model)) return [];
  const name = model === null ? provider : `${provider}/${model}`;
  return [
    { path: `${path}_model`, message: `this server does not allow ${name}: ALLOWED_MODELS lists what it allows` },
  ];
}

function findUnusableFallback(config: Config, columns: Settings, fallback: Fallback): FieldError[] {
  return choicesOf(fallback, 'fallback.').flatMap((choice) => {
    const path = `${choice.path}_provider`;
    const isReplaced = choice.provider === columns.llm_provider || choice.provider === columns.stt_provider;
    if (isReplaced) return [{ path, message: 'is the provider that it should replace' }];
    if (path === STT_FALLBACK && columns.type !== 'voice')
      return [{ path, message: 'only voice assistants transcribe' }];
    return findUnusable(config, choice);
  });
}

const STT_FALLBACK = 'fallback.stt_provider';

/** Returns an error for each provider that cannot transcribe the channels, or a new language. */
function findUnsupportedSpeech(columns: Settings, before: Settings | undefined): FieldError[] {
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
    const errors: FieldError[] = [];
    if (channels > STT_PROVIDER_FACTS[provider].max_channels) {
      errors.push({ path: channelPath, message: tooManyChannels(provider, channels) });
    }
    const languages = isNewLanguage || provider !== former ? sttLanguages(provider) : null;
    if (code !== undefined && languages && !languages.includes(code)) {
      const message = `${provider} transcribes only ${languages.join(', ')} and ${AUTO_DETECT}`;
      errors.push({ path: languagePath, message });
    }
    return errors;
  });
}

function tooManyChannels(provider: SttProviderName, channels: number): string {
  const most = STT_PROVIDER_FACTS[provider].max_channels;
  if (most > 1) return `${provider} transcribes at most ${most} channels`;
  const able = STT_PROVIDERS.filter((name) => STT_PROVIDER_FACTS[name].max_channels >= channels);
  return `${provider} has no multichannel mode; use ${able.join(' or ')}`;
}

function findTooLongRetention(
  { sessionRetentionDays: most }: Config,
  { retention_days }: Pick<Settings, 'retention_days'>,
): FieldError[] {
  if (most === 0 || retention_days === null || retention_days <= most) return [];
  return [{ path: 'retention_days', message: `must be at most ${most}, the SESSION_RETENTION_DAYS of this server` }];
}

/** Returns an error if the URL leads to a denied address. Ignores names that do not resolve within 2 s. */
export async function findBlockedUrl(
  { guard }: Pick<ApiDeps, 'guard'>,
  webhookUrl: string | null | undefined,
): Promise<FieldError[]> {
  if (webhookUrl == null) return [];
  try {
    await guard.resolve(new URL(webhookUrl).hostname);
    return [];
  } catch (error) {
    const isBlocked = error instanceof BlockedAddressError;
    return isBlocked ? [{ path: 'webhook_url', message: 'leads to a private or reserved address' }] : [];
  }
}
