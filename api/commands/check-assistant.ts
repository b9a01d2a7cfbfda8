/** What an assistant's settings must satisfy beyond their form, and what fills the gaps. */
import { AUTO_DETECT, DEFAULT_SESSION_EVENTS } from '../../contract/constants.ts';
import type { ProviderName, SttProviderName } from '../../contract/constants.ts';
import { AssistantSettingsSchema } from '../../contract/assistants.ts';
import type { AssistantSettings } from '../../contract/assistants.ts';
import type { FieldError } from '../../contract/errors.ts';
import { LLM_PROVIDER_FACTS, STT_PROVIDER_FACTS } from '../../contract/providers.ts';
import type { AssistantFields, AssistantModel } from '../../db/models/assistant.ts';
import { BlockedAddressError } from '../../runtime/outbound/address-guard.ts';
import { keyVariable } from '../../runtime/config.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid, parseOrThrow } from '../http/api-error.ts';
import { findForbiddenModels } from './check-models.ts';

type SettingsRow = Omit<AssistantFields, 'id' | 'user_id' | 'created_at' | 'updated_at'>;

const DEFAULT_STT_PROVIDER: SttProviderName = 'whisper';
/** Spec §2.3. */
const DEFAULT_TEMPERATURE = 0.7;

/** Columns of a row with these settings, defaults filled in. The secret is sealed for the row `id`. */
export async function settingsToRow(
  deps: Pick<ApiDeps, 'config' | 'guard' | 'secrets'>,
  id: string,
  settings: AssistantSettings,
): Promise<SettingsRow> {
  const row = withDefaults(settings);
  const errors = [
    ...findMissingKeys(deps, row),
    ...findForbiddenModels(deps.config, row),
    ...(await findBlockedUrl(deps, row)),
  ];
  if (errors.length > 0) throw invalid(...errors);
  const { webhook_secret } = settings;
  return { ...row, webhook_secret: webhook_secret == null ? null : deps.secrets.seal(webhook_secret, id) };
}

/** The settings that an assistant has after a change. Another provider brings its own default model. */
export function mergeSettings(
  { secrets }: Pick<ApiDeps, 'secrets'>,
  row: AssistantModel,
  patch: Partial<Record<keyof AssistantSettings, unknown>>,
): AssistantSettings {
  const { name, type, description, stt_provider, stt_model, stt_language, llm_provider, llm_model } = row;
  const { system_prompt, temperature, webhook_url, webhook_events } = row;
  const hasNewLlm = patch.llm_provider !== undefined && patch.llm_provider !== llm_provider;
  const hasNewStt = patch.stt_provider !== undefined && patch.stt_provider !== stt_provider;
  return parseOrThrow(AssistantSettingsSchema, {
    ...{ name, type, description, stt_provider, stt_language, llm_provider, system_prompt, temperature, webhook_url },
    webhook_events,
    llm_model: hasNewLlm ? null : llm_model,
    stt_model: hasNewStt ? null : stt_model,
    webhook_secret: row.webhook_secret === null ? null : secrets.open(row.webhook_secret, row.id),
    ...patch,
  });
}

function withDefaults(settings: AssistantSettings): Omit<SettingsRow, 'webhook_secret'> {
  const { name, type, llm_provider, system_prompt } = settings;
  const stt_provider = type === 'voice' ? (settings.stt_provider ?? DEFAULT_STT_PROVIDER) : null;
  return {
    name,
    type,
    description: settings.description ?? null,
    stt_provider,
    stt_model: stt_provider && (settings.stt_model ?? STT_PROVIDER_FACTS[stt_provider].default_model),
    stt_language: stt_provider && (settings.stt_language ?? AUTO_DETECT),
    llm_provider,
    llm_model: settings.llm_model ?? LLM_PROVIDER_FACTS[llm_provider].default_model,
    system_prompt,
    temperature: settings.temperature ?? DEFAULT_TEMPERATURE,
    webhook_url: settings.webhook_url == null ? null : new URL(settings.webhook_url).href,
    webhook_events: settings.webhook_events ?? [...DEFAULT_SESSION_EVENTS],
  };
}

/** What is wrong with choosing a provider that this server has no key for. */
export function findMissingKey(config: ApiDeps['config'], path: string, name: ProviderName): FieldError | undefined {
  if (config.providers[name].apiKey !== undefined) return undefined;
  return { path, message: `this server has no key for ${name}: ${keyVariable(name)} is not set` };
}

function findMissingKeys({ config }: Pick<ApiDeps, 'config'>, row: Omit<SettingsRow, 'webhook_secret'>): FieldError[] {
  return (['llm_provider', 'stt_provider'] as const).flatMap((path) => {
    const name = row[path];
    return (name && findMissingKey(config, path, name)) ?? [];
  });
}

/** A name that does not resolve now may do so later; every attempt checks the address again. */
async function findBlockedUrl(
  { guard }: Pick<ApiDeps, 'guard'>,
  { webhook_url }: Omit<SettingsRow, 'webhook_secret'>,
): Promise<FieldError[]> {
  if (webhook_url === null) return [];
  try {
    await guard.resolve(new URL(webhook_url).hostname);
    return [];
  } catch (error) {
    const isBlocked = error instanceof BlockedAddressError;
    return isBlocked ? [{ path: 'webhook_url', message: 'leads to a private or reserved address' }] : [];
  }
}
