/** The settings of an assistant that affect a result: docs/decisions.md, "Versions" and "Fallback". */
import { z } from 'zod';
import { ruleIssue } from '../errors/rule.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../values/providers.ts';
import { modelId, openEnum, responseObject } from '../values/schemas.ts';
import { RedactionSettingsSchema } from '../values/redaction.ts';
import { inTableOrder, outputsOfTable } from './setting-schemas.ts';
import { VERSIONED_SETTINGS } from './settings.ts';
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

/** A setting that former clients do not know is absent if there is none. */
export const vocabularyOutput = () => z.array(z.string()).nullish().describe('Absent: none.');

/** Changing one of these creates a new version of the assistant. Every session keeps the settings it was created with. */
export const VersionedSettingsSchema = responseObject(
  'VersionedSettings',
  inTableOrder({
    ...outputsOfTable('versioned'),
    stt_language: z.string().nullable(),
    channel_roles: z
      .array(z.string())
      .nullable()
      .describe('Role of each channel; null: speakers are not separated by channel.'),
    vocabulary: vocabularyOutput(),
    fallback: FallbackSchema.nullable(),
    fields: z.array(ResultFieldSchema).nullable(),
    redaction: RedactionSettingsSchema.nullable().describe('What is replaced in conversations; null: nothing.'),
  }),
);
export type VersionedSettings = z.output<typeof VersionedSettingsSchema>;

/** Returns the versioned settings among `settings`. A setting that did not exist when they were stored is null. */
export function versionedOf(settings: {
  [Name in keyof VersionedSettings]?: VersionedSettings[Name] | undefined;
}): VersionedSettings {
  const { vocabulary, ...others } = Object.fromEntries(
    VERSIONED_SETTINGS.map((name) => [name, settings[name] ?? null]),
  );
  return { ...others, ...(vocabulary && { vocabulary }) } as VersionedSettings;
}

/** Returns the settings as the models receive them: without the titles of fields. */
export const askedOf = <S extends Pick<VersionedSettings, 'fields'>>(settings: S): S => ({
  ...settings,
  fields: settings.fields && settings.fields.map(({ title: _, ...asked }) => asked),
});
