import { isDeepStrictEqual } from 'node:util';
import type { AssistantPatch, AssistantSettings } from '../../contract/assistants/assistant-schemas.ts';
import { AUTO_DETECT, DEFAULT_SESSION_EVENTS } from '../../contract/values/constants.ts';
import type { SttProviderName } from '../../contract/values/constants.ts';
import type { Fallback, FallbackInput } from '../../contract/assistants/versioned-settings.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import { ANALYSIS_SETTINGS } from '../../contract/assistants/settings.ts';
import { withTableDefaults } from '../../contract/assistants/setting-schemas.ts';
import { askedOf, versionedOf } from '../../contract/assistants/versioned-settings.ts';
import type { AssistantModel, NewAssistant } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { findUnknownEffort, findUnusableLlm } from './check-settings.ts';

/** The columns of an assistant's settings, except those with sealed secrets. */
type SettingsColumns = Omit<NewAssistant, 'id' | 'workspace_id' | 'webhook_secret' | 'alerts'>;

type Config = Pick<ApiDeps['config'], 'providers'>;

const DEFAULT_STT_PROVIDER: SttProviderName = 'whisper';

/** Returns the settings after a change. A new provider has its own default model. */
export function mergeSettings(config: Config, columns: SettingsColumns, patch: AssistantPatch): SettingsColumns {
  const { stt_provider, stt_model, llm_provider, llm_model } = columns;
  const hasNewLlm = patch.llm_provider !== undefined && patch.llm_provider !== llm_provider;
  const hasNewStt = patch.stt_provider !== undefined && patch.stt_provider !== stt_provider;
  return withDefaults(config, {
    ...columns,
    llm_model: hasNewLlm ? null : llm_model,
    stt_model: hasNewStt ? null : stt_model,
    // A field that the client did not send is absent from the parsed JSON, never undefined.
    ...(patch as Partial<AssistantSettings>),
  });
}

/** Returns the columns of these settings with their defaults. A model is empty if there is no default. */
export function withDefaults({ providers }: Config, settings: AssistantSettings): SettingsColumns {
  const { type, llm_provider, webhook_url, fallback } = settings;
  const stt_provider = type === 'voice' ? (settings.stt_provider ?? DEFAULT_STT_PROVIDER) : null;
  return {
    ...withTableDefaults(settings),
    type,
    stt_provider,
    stt_model: stt_provider && (settings.stt_model ?? providers.transcription[stt_provider].defaultModel),
    stt_language: settings.stt_language ?? (stt_provider && AUTO_DETECT),
    channel_roles: settings.channel_roles ?? null,
    vocabulary: settings.vocabulary?.length ? settings.vocabulary : null,
    llm_model: settings.llm_model ?? providers.analysis[llm_provider].defaultModel ?? '',
    fields: settings.fields?.length ? settings.fields : null,
    redaction: settings.redaction ?? null,
    webhook_url: webhook_url == null ? null : new URL(webhook_url).href,
    fallback: fallback ? withFallbackModels({ providers }, fallback) : null,
    follow_ups: settings.follow_ups?.length ? settings.follow_ups : null,
    webhook_auth: settings.webhook_auth ?? 'both',
    webhook_events: settings.webhook_events ?? [...DEFAULT_SESSION_EVENTS],
  };
}

/** Returns the fields of a former version with the titles of today, because a version has no titles of its own. */
export const withPresentTitles = (fields: readonly ResultField[] | null, present: readonly ResultField[] | null) =>
  fields &&
  fields.map(({ title: former, ...field }) => {
    const kept = present?.find(({ name }) => name === field.name);
    const title = kept ? kept.title : former;
    return { ...field, ...(title !== undefined && { title }) };
  });

function withFallbackModels(
  { providers }: Config,
  { llm_provider, llm_model, stt_provider, stt_model }: FallbackInput,
): Fallback {
  return {
    llm_provider: llm_provider ?? null,
    llm_model: llm_provider ? (llm_model ?? providers.analysis[llm_provider].defaultModel) : null,
    stt_provider: stt_provider ?? null,
    stt_model: stt_provider ? (stt_model ?? providers.transcription[stt_provider].defaultModel) : null,
  };
}

/** Settings that replace the assistant's own. */
export type Overrides = Pick<AssistantPatch, (typeof ANALYSIS_SETTINGS)[number]>;

export interface ChosenSettings {
  settings: FrozenAssistant;
  /** The assistant's version with these settings; null if an override differs. */
  version: number | null;
}

/**
 * Returns the settings of a reanalysis: the assistant's with the overrides. Throws `validation_failed` for an unusable model.
 * @param path of the overrides in the request's body; undefined: they are the body.
 */
export function chooseSettings(
  { config }: Pick<ApiDeps, 'config'>,
  assistant: AssistantModel,
  { overrides, path }: { overrides: Overrides; path?: string },
): ChosenSettings {
  const merged = versionedOf(mergeSettings(config, assistant, overrides));
  const errors = [...findUnusableLlm(config, merged), ...findUnknownEffort(merged)];
  const prefix = path === undefined ? '' : `${path}.`;
  if (errors.length > 0) throw invalid(...errors.map((error) => ({ ...error, path: prefix + error.path })));
  const isOwn = findDifferent(merged, assistant).length === 0;
  return { settings: assistant.freeze(merged), version: isOwn ? assistant.version : null };
}

type Stored = Parameters<typeof versionedOf>[0];

/** Returns the settings of an analysis that the model receives differently. */
export function findDifferent(some: Stored, others: Stored): (typeof ANALYSIS_SETTINGS)[number][] {
  const [one, other] = [some, others].map((settings) => askedOf(versionedOf(settings)));
  return ANALYSIS_SETTINGS.filter((name) => !isDeepStrictEqual(one?.[name], other?.[name]));
}
