/** The fields of an assistant: specification §2.3. */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import { rule, ruleIssue } from '../errors/rule.ts';
import { ASSISTANT_TYPES, AUTO_DETECT, SESSION_EVENTS, WEBHOOK_AUTHS } from '../values/constants.ts';
import { alerts, AlertSchema } from './alerts.ts';
import { followUps, FollowUpSchema } from './follow-ups.ts';
import { areDistinct, openEnum, responseObject, text, timestamp, typeId } from '../values/schemas.ts';
import { STT_PROVIDER_FACTS } from '../values/providers.ts';
import { RedactionInputSchema } from '../values/redaction.ts';
import { resultFields } from '../fields/result-fields.ts';
import { checkScores } from '../fields/check-scores.ts';
import { inputsOfTable, inTableOrder, outputsOfTable, overridesOfTable } from './setting-schemas.ts';
import { VOICE_SETTINGS } from './settings.ts';
import { FallbackInputSchema, VersionedSettingsSchema } from './versioned-settings.ts';
import { webhookAuth, webhookSecret, webhookUrl } from '../values/webhook-settings.ts';

const scoredFields = () => resultFields().superRefine(checkScores);

const MAX_CHANNELS = Math.max(...Object.values(STT_PROVIDER_FACTS).map(({ max_channels }) => max_channels));

const channelRoles = () =>
  z
    .array(text({ min: 1, max: LIMITS.role }))
    .min(2, rule('too_few', { min: 'two', unit: 'channels' }))
    .max(MAX_CHANNELS)
    .refine(areDistinct, rule('unique', { unit: 'role' }))
    .describe(
      'Role of each channel, in channel order. Turns get these names. Voice assistants only; requires an stt_provider ' +
        'that transcribes channels separately.',
    )
    .meta({ uniqueItems: true, examples: [['operator', 'client']] });

/** Words without control characters. */
const WORD = String.raw`[^\s\u0000-\u001f\u007f-\u009f]+`;
const TERM = new RegExp(`^${WORD}( ${WORD}){0,${LIMITS.termWords - 1}}$`);

/** The settings whose schema is more than a row of the table. */
const OWN = {
  stt_language: z
    .string()
    .regex(
      /^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}|Auto-Detect)$/,
      rule('format', { format: `a language code or ${AUTO_DETECT}` }),
    )
    .meta({ examples: [AUTO_DETECT] })
    .nullish()
    .describe(
      'Language of the recordings, default `Auto-Detect`; or of the conversations of a text assistant, in which redaction ' +
        'searches names and addresses, default unknown.',
    ),
  channel_roles: channelRoles().nullish(),
  vocabulary: z
    .array(
      text({ min: 1, max: LIMITS.term })
        .regex(TERM, rule('format', { format: `1 to ${LIMITS.termWords} words with one blank between them` }))
        .meta({ pattern: TERM.source }),
    )
    .max(LIMITS.terms, rule('too_many', { max: LIMITS.terms, unit: 'terms' }))
    .refine((terms) => areDistinct(terms.map((term) => term.toLowerCase())), rule('unique', { unit: 'term' }))
    .meta({ uniqueItems: true, examples: [['Northline Fiber', 'Old Harbor']] })
    .nullish()
    .describe('Names and rare words that the transcription listens for, the most important first. Default: none.'),
  fallback: FallbackInputSchema.nullish().describe(
    "Providers to use if the assistant's own provider is unavailable or has no credit left.",
  ),
  fields: scoredFields().nullish(),
  redaction: RedactionInputSchema.nullish().describe(
    'Personal data that placeholders such as `[CARD_1]` replace before a conversation is stored or analyzed. Default: none.',
  ),
  webhook_url: webhookUrl().nullish(),
  webhook_secret: webhookSecret().nullish(),
  webhook_auth: webhookAuth().nullish(),
  webhook_events: z
    .array(z.enum(SESSION_EVENTS))
    .min(1, rule('too_few', { min: 'one', unit: 'event' }))
    .max(SESSION_EVENTS.length)
    .refine(areDistinct, rule('unique', { unit: 'event' }))
    .describe('Events sent to the webhook. Default: only `session.completed`.')
    .meta({ uniqueItems: true, examples: [['session.completed']] })
    .nullish(),
  alerts: alerts().nullish(),
  follow_ups: followUps().nullish(),
};

/** Every setting of an assistant, as create and PATCH accept it. */
const shape = inTableOrder({ ...inputsOfTable(), ...OWN });

/** The settings that an analysis may replace for one session. */
export const analysisOverrides = () => ({ ...overridesOfTable(), fields: scoredFields().nullable().optional() });

/** All settings after defaults and merging. The result of create, PATCH and duplicate must match it. */
export const AssistantSettingsSchema = z
  .strictObject({ ...shape, type: z.enum(ASSISTANT_TYPES) })
  .superRefine((settings, context) => {
    if (settings.type === 'voice') return;
    for (const field of VOICE_SETTINGS) {
      if (settings[field] == null) continue;
      context.addIssue(ruleIssue([field], 'only_voice'));
    }
  })
  .meta({
    id: 'AssistantInput',
    examples: [
      {
        name: 'Support call review',
        type: 'text',
        llm_provider: 'openai',
        system_prompt: 'Summarize the call and say whether the problem was solved.',
        fields: [{ name: 'resolved', type: 'boolean', description: 'Was the problem solved?' }],
        webhook_url: 'https://example.com/hooks/conversations',
        webhook_secret: 'whsec-example-4fZ',
      },
    ],
    // The rule of superRefine as JSON Schema.
    if: { properties: { type: { const: 'text' } } },
    then: { properties: Object.fromEntries(VOICE_SETTINGS.map((name) => [name, { type: 'null' }])) },
  });
export type AssistantSettings = z.output<typeof AssistantSettingsSchema>;

export const AssistantPatchSchema = z
  .strictObject(shape)
  .partial()
  .extend({
    type: z.never(rule('fixed')).optional(),
    webhook_secret: shape.webhook_secret.describe(
      'A new secret; `null` removes it. Changing `webhook_url` without a new secret also removes it.',
    ),
  })
  .describe('`null` resets an optional field to its default.')
  .meta({
    id: 'AssistantPatch',
    examples: [{ system_prompt: 'Summarize the call in three sentences.', temperature: null }],
  });

/** The type is declared only so that it is refused with a message. */
export type AssistantPatch = Omit<z.output<typeof AssistantPatchSchema>, 'type'>;

export const AssistantSchema = responseObject('Assistant', {
  id: typeId('asst'),
  type: openEnum(ASSISTANT_TYPES),
  ...outputsOfTable('unversioned'),
  version: z.int().describe('Increases when a setting that affects a result changes.'),
  ...VersionedSettingsSchema.shape,
  economy: z.boolean().optional().describe('Absent: false.'),
  webhook_url: z.string().nullable(),
  has_webhook_secret: z.boolean().describe('Changing `webhook_url` without a new secret makes it false.'),
  webhook_auth: openEnum(WEBHOOK_AUTHS),
  webhook_events: z.array(openEnum(SESSION_EVENTS)),
  alerts: z.array(AlertSchema),
  follow_ups: z.array(FollowUpSchema).optional().describe('Absent: none.'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Assistant = z.output<typeof AssistantSchema>;
