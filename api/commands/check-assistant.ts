/** Checks an assistant's settings beyond their form, and fills in defaults. */
import { isDeepStrictEqual } from 'node:util';
import { AUTO_DETECT, DEFAULT_SESSION_EVENTS } from '../../contract/constants.ts';
import type { ProviderName, SttProviderName } from '../../contract/constants.ts';
import type { AssistantPatch, AssistantSettings } from '../../contract/assistants.ts';
import type { Fallback, FallbackInput } from '../../contract/fallback.ts';
import type { FieldError } from '../../contract/errors.ts';
import { keyVariable, LLM_PROVIDER_FACTS, STT_PROVIDER_FACTS } from '../../contract/providers.ts';
import type { NewAssistant } from '../../db/models/assistant.ts';
import { BlockedAddressError } from '../../runtime/outbound/address-guard.ts';
import type { ApiDeps } from '../deps.ts';
import { findForbiddenModel, findForbiddenModels } from './check-models.ts';

/** The columns that hold settings in the clear: all but the secret, which stays sealed. */
export type SettingsColumns = Omit<NewAssistant, 'id' | 'user_id' | 'webhook_secret'>;

const DEFAULT_STT_PROVIDER: SttProviderName = 'whisper';
/** Spec §2.3. */
const DEFAULT_TEMPERATURE = 0.7;

/** Returns the settings that an assistant has after a change. Another provider brings its own default model. */
export function mergeSettings(columns: SettingsColumns, patch: AssistantPatch): SettingsColumns {
  const { stt_provider, stt_model, llm_provider, llm_model } = columns;
  const hasNewLlm = patch.llm_provider !== undefined && patch.llm_provider !== llm_provider;
  const hasNewStt = patch.stt_provider !== undefined && patch.stt_provider !== stt_provider;
  return withDefaults({
    ...columns,
    llm_model: hasNewLlm ? null : llm_model,
    stt_model: hasNewStt ? null : stt_model,
    // A field that the client left out is absent from parsed JSON, and never undefined.
    ...(patch as Partial<AssistantSettings>),
  });
}

/** Returns the columns of these settings, defaults filled in. */
export function withDefaults(settings: AssistantSettings): SettingsColumns {
  const { name, type, llm_provider, system_prompt } = settings;
  const stt_provider = type === 'voice' ? (settings.stt_provider ?? DEFAULT_STT_PROVIDER) : null;
  return {
    name,
    type,
    description: settings.description ?? null,
    stt_provider,
    stt_model: stt_provider && (settings.stt_model ?? STT_PROVIDER_FACTS[stt_provider].default_model),
    stt_language: stt_provider && (settings.stt_language ?? AUTO_DETECT),
    channel_roles: settings.channel_roles ?? null,
    llm_provider,
    llm_model: settings.llm_model ?? LLM_PROVIDER_FACTS[llm_provider].default_model,
    system_prompt,
    temperature: settings.temperature ?? DEFAULT_TEMPERATURE,
    fields: settings.fields?.length ? settings.fields : null,
    webhook_url: settings.webhook_url == null ? null : new URL(settings.webhook_url).href,
    on_vendor_outage: settings.on_vendor_outage ?? 'fail',
    fallback: settings.fallback ? withFallbackModels(settings.fallback) : null,
    webhook_events: settings.webhook_events ?? [...DEFAULT_SESSION_EVENTS],
    retention_days: settings.retention_days ?? null,
  };
}

/** Returns the fallback with the providers' own models where it names none. */
function withFallbackModels({ llm_provider, llm_model, stt_provider, stt_model }: FallbackInput): Fallback {
  return {
    llm_provider: llm_provider ?? null,
    llm_model: llm_provider ? (llm_model ?? LLM_PROVIDER_FACTS[llm_provider].default_model) : null,
    stt_provider: stt_provider ?? null,
    stt_model: stt_provider ? (stt_model ?? STT_PROVIDER_FACTS[stt_provider].default_model) : null,
  };
}

/** Returns what is wrong with choosing a provider that this server has no key for. */
export function findMissingKey(config: ApiDeps['config'], path: string, name: ProviderName): FieldError | undefined {
  if (config.providers[name].apiKey !== undefined) return undefined;
  return { path, message: `this server has no key for ${name}: ${keyVariable(name)} is not set` };
}

/**
 * Returns an error for each provider without a key and each model that is not allowed; what the assistant had `before` is
 * not looked at again.
 */
export function findUnusableModels(
  deps: Pick<ApiDeps, 'config'>,
  columns: SettingsColumns,
  before?: SettingsColumns,
): FieldError[] {
  const isNew = (...fields: (keyof SettingsColumns)[]) => fields.some((field) => columns[field] !== before?.[field]);
  const forbidden = findForbiddenModels(deps.config, columns).filter(({ path }) =>
    path === 'llm_model' ? isNew('llm_provider', 'llm_model') : isNew('stt_provider', 'stt_model'),
  );
  const isFallbackNew = !isDeepStrictEqual(columns.fallback, before?.fallback ?? null);
  return [
    ...findMissingKeys(deps, columns, before),
    ...forbidden,
    ...(isFallbackNew && columns.fallback ? findUnusableFallback(deps, columns, columns.fallback) : []),
  ];
}

/** Returns an error for each vendor of the fallback that is none: the first one again, or one that can't be used. */
function findUnusableFallback(
  { config }: Pick<ApiDeps, 'config'>,
  columns: SettingsColumns,
  fallback: Fallback,
): FieldError[] {
  return (['llm', 'stt'] as const).flatMap((kind) => {
    const provider = fallback[`${kind}_provider`];
    const path = `fallback.${kind}_provider`;
    if (provider === null) return [];
    if (provider === columns[`${kind}_provider`])
      return [{ path, message: 'is the vendor that it is to stand in for' }];
    if (kind === 'stt' && columns.type !== 'voice') return [{ path, message: 'only voice assistants transcribe' }];
    const missing = findMissingKey(config, path, provider);
    if (missing) return [missing];
    return findForbiddenModel(config, { path: `fallback.${kind}_model`, provider, model: fallback[`${kind}_model`] });
  });
}

function findMissingKeys(
  { config }: Pick<ApiDeps, 'config'>,
  columns: SettingsColumns,
  before: SettingsColumns | undefined,
): FieldError[] {
  return (['llm_provider', 'stt_provider'] as const).flatMap((path) => {
    const name = columns[path];
    if (name === null || name === before?.[path]) return [];
    return findMissingKey(config, path, name) ?? [];
  });
}

/** Returns an error if sessions are to stay longer than they stay on this server. */
export function findTooLongRetention(
  { config: { sessionRetentionDays: most } }: Pick<ApiDeps, 'config'>,
  retentionDays: number | null | undefined,
): FieldError[] {
  if (most === 0 || retentionDays == null || retentionDays <= most) return [];
  const message = `must be at most ${most}, which SESSION_RETENTION_DAYS of this server sets`;
  return [{ path: 'retention_days', message }];
}

/** Returns an error if the URL leads to a denied address. A name that does not resolve within 2 s may do so later. */
export async function findBlockedUrl(
  { guard }: Pick<ApiDeps, 'guard'>,
  webhookUrl: string | null | undefined,
  userId: string,
): Promise<FieldError[]> {
  if (webhookUrl == null) return [];
  try {
    await guard.resolve(new URL(webhookUrl).hostname, userId);
    return [];
  } catch (error) {
    const isBlocked = error instanceof BlockedAddressError;
    return isBlocked ? [{ path: 'webhook_url', message: 'leads to a private or reserved address' }] : [];
  }
}
