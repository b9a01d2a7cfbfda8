/** The settings of an assistant that decide a result: docs/decisions.md, "Versions". */
import { z } from 'zod';
import { LLM_PROVIDERS, STT_PROVIDERS } from './constants.ts';
import { FallbackSchema } from './fallback.ts';
import { openEnum } from './fields.ts';
import { ResultFieldSchema } from './result-fields.ts';

/** A change of one of these makes a new version of the assistant, and every session keeps those that it was made with. */
export const VersionedSettingsSchema = z
  .object({
    stt_provider: openEnum(STT_PROVIDERS).nullable(),
    stt_model: z.string().nullable(),
    stt_language: z.string().nullable(),
    channel_roles: z.array(z.string()).nullable().describe('Who speaks on each channel; null: not told by channels.'),
    llm_provider: openEnum(LLM_PROVIDERS),
    llm_model: z.string(),
    system_prompt: z.string(),
    temperature: z.number(),
    fallback: FallbackSchema.nullable().describe('null: none.'),
    fields: z.array(ResultFieldSchema).nullable().describe('null: none.'),
  })
  .meta({ id: 'VersionedSettings' });

export type VersionedSettings = z.output<typeof VersionedSettingsSchema>;

export const VERSIONED_SETTINGS = Object.keys(VersionedSettingsSchema.shape) as (keyof VersionedSettings)[];

/** Returns the versioned ones of these settings. One that was added after they were stored is null. */
export function versionedOf(settings: {
  [Name in keyof VersionedSettings]?: VersionedSettings[Name] | undefined;
}): VersionedSettings {
  return Object.fromEntries(VERSIONED_SETTINGS.map((name) => [name, settings[name] ?? null])) as VersionedSettings;
}
