/** Assistants: spec §2.3 and §4.3. */
import { z } from 'zod';
import { hasBadPort } from './bad-ports.ts';
import {
  ASSISTANT_TYPES,
  AUTO_DETECT,
  LLM_PROVIDERS,
  OUTAGE_CHOICES,
  SESSION_EVENTS,
  STT_PROVIDERS,
  VOICE_SETTINGS,
} from './constants.ts';
import { endpoint } from './endpoint.ts';
import { ifMatch, listOf, openEnum, pageQuery, text, timestamp, typeId } from './fields.ts';
import { FallbackInputSchema } from './fallback.ts';
import { modelId } from './model-id.ts';
import { STT_PROVIDER_FACTS } from './providers.ts';
import { resultFields } from './result-fields.ts';
import { VersionedSettingsSchema } from './versioned-settings.ts';

const name = () => text({ min: 1, max: 200 }).meta({ examples: ['Support call review'] });
const description = () => text({ max: 2_000 });
const systemPrompt = () =>
  text({ min: 1, max: 100_000 })
    .describe('Analysis instructions for the language model.')
    .meta({ examples: ['Summarise the call and say whether the problem was solved.'] });

const sttLanguage = () =>
  z
    .string()
    .regex(/^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}|Auto-Detect)$/, `must be a language code or ${AUTO_DETECT}`)
    .meta({ examples: [AUTO_DETECT] });

/** The most channels that a vendor takes, and the fewest that tell anything. */
const MAX_CHANNELS = Math.max(...Object.values(STT_PROVIDER_FACTS).map(({ max_channels }) => max_channels));
const MIN_CHANNELS = 2;

const channelRoles = () =>
  z
    .array(text({ min: 1, max: 64 }))
    .min(MIN_CHANNELS, 'must name at least two channels')
    .max(MAX_CHANNELS)
    .refine((roles) => new Set(roles).size === roles.length, 'must name each role once')
    .describe(
      'Who speaks on each channel of the recordings, in the order of the channels; turns get these names. Only with an ' +
        'stt_provider that transcribes channels apart. Voice assistants only.',
    )
    .meta({ uniqueItems: true, examples: [['operator', 'client']] });

/** Declares the sampling temperature, 0.0 to 1.0 inclusive. Spec §2.3. */
const temperature = () => z.number().min(0).max(1);

const fallback = () =>
  FallbackInputSchema.nullish().describe("Answers where the assistant's own vendor is away or has no credit left.");

const onVendorOutage = () =>
  z
    .enum(OUTAGE_CHOICES)
    .nullish()
    .describe(
      'What a session does whose vendor is away after all tries: `fail` (default), or `wait` for it, up to a day.',
    );

const WEBHOOK_URL_CHARACTERS = 2_048;

/** Credentials in a URL would end up in logs; the addresses it leads to are checked by the server's guard. */
const webhookUrl = () =>
  z
    .string()
    .max(WEBHOOK_URL_CHARACTERS, { abort: true })
    .refine(isHttpUrl, { error: 'must be an http or https URL without credentials', abort: true })
    .refine((value) => !hasBadPort(new URL(value)), 'must not name a port that browsers refuse')
    .refine(
      (value) => new URL(value).href.length <= WEBHOOK_URL_CHARACTERS,
      `must have at most ${WEBHOOK_URL_CHARACTERS} characters when percent-encoded`,
    )
    .meta({ format: 'uri', examples: ['https://example.com/hooks/conversations'] });

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && !url.username && !url.password;
}

/** Declares a secret of printable ASCII: anything else could never be sent in a header, on any attempt. */
const webhookSecret = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/, 'must be 1 to 512 printable ASCII characters without blanks')
    .describe('Sent to the webhook as a Bearer token; never returned.')
    .meta({ examples: ['whsec-example-4fZ'] });

const webhookEvents = () =>
  z
    .array(z.enum(SESSION_EVENTS))
    .min(1, 'must name at least one event')
    .max(SESSION_EVENTS.length)
    .refine((events) => new Set(events).size === events.length, 'must name each event once')
    .describe('Events that are posted to the webhook. Default: `session.completed` alone.')
    .meta({ uniqueItems: true, examples: [['session.completed']] });

const retentionDays = () =>
  z
    .int()
    .min(1)
    .max(36_500)
    .describe('Days that sessions stay after their end; then they go with all that was said. null: as the server says.')
    .meta({ examples: [90] });

/** Every setting of an assistant, after defaults and merging: what create, PATCH and duplicate must satisfy. */
export const AssistantSettingsSchema = z
  .strictObject({
    name: name(),
    type: z.enum(ASSISTANT_TYPES),
    description: description().nullish(),
    stt_provider: z.enum(STT_PROVIDERS).nullish().describe('Voice assistants only; default `whisper`.'),
    stt_model: modelId().nullish().describe("Voice assistants only; default: the provider's own."),
    stt_language: sttLanguage().nullish().describe('Voice assistants only; default `Auto-Detect`.'),
    channel_roles: channelRoles().nullish(),
    llm_provider: z.enum(LLM_PROVIDERS),
    llm_model: modelId().nullish().describe("Default: the provider's own."),
    system_prompt: systemPrompt(),
    temperature: temperature().nullish().describe('Default 0.7.'),
    fields: resultFields().nullish(),
    on_vendor_outage: onVendorOutage(),
    fallback: fallback(),
    webhook_url: webhookUrl().nullish(),
    webhook_secret: webhookSecret().nullish(),
    webhook_events: webhookEvents().nullish(),
    retention_days: retentionDays().nullish(),
  })
  .superRefine((settings, context) => {
    if (settings.type === 'voice') return;
    for (const field of VOICE_SETTINGS) {
      if (settings[field] == null) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'only voice assistants transcribe' });
    }
  })
  .meta({
    id: 'AssistantInput',
    // What superRefine asks, for readers of the JSON Schema.
    if: { properties: { type: { const: 'text' } } },
    then: { properties: Object.fromEntries(VOICE_SETTINGS.map((name) => [name, { type: 'null' }])) },
  });

export type AssistantSettings = z.output<typeof AssistantSettingsSchema>;

const AssistantPatchSchema = z
  .strictObject({
    name: name().optional(),
    type: z.never({ error: 'cannot be changed; create another assistant' }).optional(),
    description: description().nullish(),
    stt_provider: z.enum(STT_PROVIDERS).nullish(),
    stt_model: modelId().nullish(),
    stt_language: sttLanguage().nullish(),
    channel_roles: channelRoles().nullish(),
    llm_provider: z.enum(LLM_PROVIDERS).optional(),
    llm_model: modelId().nullish(),
    system_prompt: systemPrompt().optional(),
    temperature: temperature().nullish(),
    fields: resultFields().nullish(),
    on_vendor_outage: onVendorOutage(),
    fallback: fallback(),
    webhook_url: webhookUrl().nullish(),
    webhook_secret: webhookSecret()
      .nullish()
      .describe('A new secret; `null` clears it. Without one, a `webhook_url` with another origin clears it too.'),
    webhook_events: webhookEvents().nullish(),
    retention_days: retentionDays().nullish(),
  })
  .describe('`null` clears an optional field: it takes its default again.')
  .meta({ id: 'AssistantPatch' });

/** The type is declared only to be refused. */
export type AssistantPatch = Omit<z.output<typeof AssistantPatchSchema>, 'type'>;

export const AssistantSchema = z
  .object({
    id: typeId('asst'),
    name: z.string(),
    type: openEnum(ASSISTANT_TYPES),
    description: z.string().nullable(),
    version: z.int().describe('Of the settings that decide a result. A change of one of them makes the next one.'),
    ...VersionedSettingsSchema.shape,
    webhook_url: z.string().nullable(),
    on_vendor_outage: openEnum(OUTAGE_CHOICES),
    has_webhook_secret: z
      .boolean()
      .describe('A change of `webhook_url` to another origin, without a secret of its own, makes it false.'),
    webhook_events: z.array(openEnum(SESSION_EVENTS)),
    retention_days: z.int().nullable().describe('Days that sessions stay after their end; null: as the server says.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Assistant' });

export type Assistant = z.output<typeof AssistantSchema>;

const params = z.object({ id: typeId('asst') });

export const listAssistants = endpoint({
  operationId: 'listAssistants',
  method: 'get',
  path: '/v1/assistants',
  summary: 'Assistants of the user, newest first; all of them unless `limit` is given',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:read',
  query: z.strictObject(pageQuery('asst')),
  answers: { 200: listOf(AssistantSchema).meta({ id: 'AssistantList' }) },
});

export const createAssistant = endpoint({
  operationId: 'createAssistant',
  method: 'post',
  path: '/v1/assistants',
  summary: 'Create an assistant',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:write',
  body: AssistantSettingsSchema,
  etag: true,
  answers: { 201: AssistantSchema },
  errors: ['quota_exceeded'],
  location: '/v1/assistants/{id}',
});

export const getAssistant = endpoint({
  operationId: 'getAssistant',
  method: 'get',
  path: '/v1/assistants/{id}',
  summary: 'One assistant',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:read',
  params,
  etag: true,
  answers: { 200: AssistantSchema },
});

export const updateAssistant = endpoint({
  operationId: 'updateAssistant',
  method: 'patch',
  path: '/v1/assistants/{id}',
  summary: 'Change an assistant',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:write',
  params,
  headers: z.object({ 'if-match': ifMatch() }),
  body: AssistantPatchSchema,
  etag: true,
  answers: { 200: AssistantSchema },
  errors: ['precondition_failed'],
});

export const deleteAssistant = endpoint({
  operationId: 'deleteAssistant',
  method: 'delete',
  path: '/v1/assistants/{id}',
  summary: 'Delete an assistant; its sessions stay readable, its waiting deliveries stop',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:write',
  params,
  answers: { 204: null },
});

export const duplicateAssistant = endpoint({
  operationId: 'duplicateAssistant',
  method: 'post',
  path: '/v1/assistants/{id}/duplicate',
  summary: 'Copy an assistant, its webhook secret included',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'assistants:write',
  params,
  etag: true,
  answers: { 201: AssistantSchema },
  errors: ['quota_exceeded'],
  location: '/v1/assistants/{id}',
});
