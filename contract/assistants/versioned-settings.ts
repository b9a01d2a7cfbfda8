/** The settings of an assistant that affect a result: docs/decisions.md, "Versions" and "Fallback". */
import { z } from 'zod';
import { ruleIssue } from '../errors/rule.ts';
import { REASONING_EFFORTS } from '../values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../values/providers.ts';
import { modelId, openEnum, responseObject } from '../values/schemas.ts';
import { RedactionSettingsSchema } from '../values/redaction.ts';
import { ResultFieldSchema } from '../fields/result-fields.ts';

export const FallbackInputSchema = z
  .strictObject({
    llm_provider: z.enum(LLM_PROVIDERS).nullish(),
    llm_model: modelId().nullish().describe("Default: the provider's default model."),
    stt_provider: z.enum(STT_PROVIDERS).nullish().describe('Voice assistants only.'),
    stt_model: modelId().nullish().describe("Default: the provider's default model."),
  })
  .superRefine((fallback, context) => {
    const { llm_provider, stt_provider } = fallback;
    if (llm_provider == null && stt_provider == null) context.addIssue(ruleIssue([], 'too_few:providers'));
    for (const kind of ['llm', 'stt'] as const) {
      if (fallback[`${kind}_provider`] != null || fallback[`${kind}_model`] == null) continue;
      context.addIssue(ruleIssue([`${kind}_model`], 'required:needs', { other: `${kind}_provider` }));
    }
  })
  .meta({ id: 'FallbackInput', examples: [{ llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' }] });

export const FallbackSchema = responseObject('Fallback', {
  llm_provider: openEnum(LLM_PROVIDERS).nullable(),
  llm_model: z.string().nullable(),
  stt_provider: openEnum(STT_PROVIDERS).nullable(),
  stt_model: z.string().nullable(),
});
export type Fallback = z.output<typeof FallbackSchema>;
export type FallbackInput = z.output<typeof FallbackInputSchema>;

/** Changing one of these creates a new version of the assistant. Every session keeps the settings it was created with. */
export const VersionedSettingsSchema = responseObject('VersionedSettings', {
  stt_provider: openEnum(STT_PROVIDERS).nullable(),
  stt_model: z.string().nullable(),
  stt_language: z.string().nullable(),
  channel_roles: z
    .array(z.string())
    .nullable()
    .describe('Role of each channel; null: speakers are not separated by channel.'),
  llm_provider: openEnum(LLM_PROVIDERS),
  llm_model: z.string(),
  system_prompt: z.string(),
  temperature: z.number(),
  reasoning_effort: openEnum(REASONING_EFFORTS).nullable().describe('null: the default.'),
  max_output_tokens: z.int().nullable().describe('null: the default.'),
  fallback: FallbackSchema.nullable(),
  fields: z.array(ResultFieldSchema).nullable(),
  redaction: RedactionSettingsSchema.nullable().describe('What is replaced in conversations; null: nothing.'),
});
export type VersionedSettings = z.output<typeof VersionedSettingsSchema>;

/** Settings of the analysis. Those of the transcription do not affect a reanalysis and may be older. */
export const ANALYSIS_SETTINGS = [
  'llm_provider',
  'llm_model',
  'system_prompt',
  'temperature',
  'reasoning_effort',
  'max_output_tokens',
  'fields',
] as const satisfies readonly (keyof VersionedSettings)[];

export const VERSIONED_SETTINGS = Object.keys(VersionedSettingsSchema.shape) as (keyof VersionedSettings)[];

/** Returns the versioned settings among `settings`. A setting that did not exist when they were stored is null. */
export function versionedOf(settings: {
  [Name in keyof VersionedSettings]?: VersionedSettings[Name] | undefined;
}): VersionedSettings {
  return Object.fromEntries(VERSIONED_SETTINGS.map((name) => [name, settings[name] ?? null])) as VersionedSettings;
}

/** Returns the settings as the models receive them: without the titles of fields. */
export const askedOf = <S extends Pick<VersionedSettings, 'fields'>>(settings: S): S => ({
  ...settings,
  fields: settings.fields && settings.fields.map(({ title: _, ...asked }) => asked),
});
