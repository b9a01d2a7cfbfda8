/** Sessions: specification §2.4; docs/decisions.md, "Session". */
import { z } from 'zod';
import {
  ASSISTANT_TYPES,
  DELIVERY_STATUSES,
  FIELD_ENCODINGS,
  SESSION_STATUSES,
  STEPS,
  PROVIDER_FAULTS,
} from '../values/constants.ts';
import { AudioSourceSchema } from './audio-source.ts';
import { leftOut } from './left-out.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  FOLLOWED,
  listOf,
  openEnum,
  pageQuery,
  queryInteger,
  responseObject,
  sortedCursor,
  timestamp,
  typeId,
  usd,
  conversationFormat,
} from '../values/schemas.ts';
import { RedactionSettingsSchema, SessionRedactionSchema } from '../values/redaction.ts';
import { FieldValueSchema, ResultFieldSchema } from '../fields/result-fields.ts';
import { SessionRolesSchema } from '../values/roles.ts';
import { SESSION_SORTS } from '../values/session-lists.ts';
import { ProviderWaitSchema, SessionErrorDetailSchema, SessionErrorSchema } from '../errors/session-error.ts';
import { ReviewDetailsSchema, SessionReviewSchema } from '../reviews/reviews.ts';
import { sessionFilterQuery, sessionInclude } from './session-filter.ts';
import { FallbackSchema, VersionedSettingsSchema, vocabularyOutput } from '../assistants/versioned-settings.ts';

const endpoint = endpointsOf('Sessions');

export const TurnSchema = responseObject('Turn', {
  role: z.string(),
  text: z.string(),
  start_s: z.number().optional().describe('Seconds from the start of the conversation, if known.'),
  end_s: z.number().optional(),
});
export type Turn = z.output<typeof TurnSchema>;

export const TranscriptSchema = responseObject('Transcript', {
  text: z.string(),
  language: z.string().nullable().describe('As the provider reports it; null: not reported.'),
  duration_s: z.number().nullable().describe('Duration of the audio in seconds; null: unknown.'),
});
export type Transcript = z.output<typeof TranscriptSchema>;

/** The assistant's settings when the conversation was submitted, without the webhook and its secret. */
const FrozenAssistantSchema = responseObject('FrozenAssistant', {
  id: typeId('asst'),
  name: z.string(),
  type: openEnum(ASSISTANT_TYPES),
  ...VersionedSettingsSchema.omit({
    channel_roles: true,
    vocabulary: true,
    fallback: true,
    fields: true,
    redaction: true,
  }).shape,
  channel_roles: z.array(z.string()).optional().describe('Absent: none.'),
  vocabulary: vocabularyOutput(),
  economy: z.boolean().optional().describe('Absent: false.'),
  fallback: FallbackSchema.optional().describe('Absent: none.'),
  fields: z.array(ResultFieldSchema).optional().describe('Absent: none.'),
  redaction: RedactionSettingsSchema.optional().describe('Absent: none.'),
});
export type FrozenAssistant = z.output<typeof FrozenAssistantSchema>;

const CostItemSchema = responseObject('CostItem', {
  step: openEnum(STEPS),
  provider: z.string(),
  model: z.string().nullable(),
  calls: z.int(),
  cost_usd: usd().nullable().describe('null: the price is unknown.'),
  cost_known: z.boolean().describe('false: the cost of at least one call is unknown.'),
});
export type CostItem = z.output<typeof CostItemSchema>;

export const SessionDeliverySchema = responseObject('SessionDelivery', {
  delivery_id: typeId('dlv'),
  status: openEnum(DELIVERY_STATUSES),
  attempt_count: z.int().describe('Number of attempts that have started.'),
  next_attempt_at: timestamp().nullable(),
});

const SessionAudioSchema = responseObject('SessionAudio', {
  available: z.boolean().describe('false: the recording was removed, and `GET …/audio` returns 404.'),
  content_type: z.string().nullable().describe('null: the recording was removed.'),
  bytes: z.int().nullable().describe('null: the recording was removed.'),
  tracks: z
    .int()
    .nullable()
    .describe('Audio tracks of the file. Speech-to-text reads one of them. null: the recording was removed.'),
  channels: z.int().optional().describe('Set if `channel_roles` name another number: speakers by voice.'),
  expires_at: timestamp().nullable().describe('When the recording will be removed; null while the session runs.'),
});
export type SessionAudio = z.output<typeof SessionAudioSchema>;

const AnsweredBySchema = responseObject('AnsweredBy', {
  step: openEnum(STEPS),
  provider: z.string(),
  model: z.string().nullable(),
  reason: openEnum(PROVIDER_FAULTS),
});
export type AnsweredBy = z.output<typeof AnsweredBySchema>;

export const SessionSchema = responseObject('Session', {
  session_id: typeId('sess'),
  assistant_id: typeId('asst'),
  type: openEnum(ASSISTANT_TYPES),
  status: openEnum(SESSION_STATUSES),
  summary_text: z.string().nullable(),
  raw_response: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      "The model's JSON object. If the assistant has fields: with `fields`, `evidence`, `problems` and `scores`. A recording without speech has `no_speech: true`.",
    ),
  total_cost: usd().describe('Sum of all provider calls of known price, in US dollars.'),
  cost_known: z.boolean().describe('false: the price or usage of at least one call is unknown.'),
  cost_breakdown: z.array(CostItemSchema),
  created_at: timestamp().describe('When it was submitted.'),
  occurred_at: timestamp().describe('When the conversation took place. Default: `created_at`.'),
  completed_at: timestamp().nullable(),
  waiting_for: ProviderWaitSchema.nullable().describe(
    'The provider whose call failed, while the session waits for the next call; null: not waiting.',
  ),
  queue: responseObject('QueuePlace', {
    ahead: z.int().describe('Approximate number of sessions of the workspace that start before this one.'),
  })
    .nullable()
    .describe('Position of a session with status `queued`; null for other sessions.'),
  answered_by: z
    .array(AnsweredBySchema)
    .nullable()
    .describe("Steps that a fallback provider performed, with the fault of the assistant's own provider; null: none."),
  error: SessionErrorDetailSchema.nullable(),
  conversation: z
    .array(TurnSchema)
    .nullable()
    .describe(
      'The submitted conversation. For voice sessions: the turns of the transcript, or null before the transcription.',
    ),
  conversation_format: conversationFormat(),
  transcript: TranscriptSchema.nullable().describe('The transcript of a voice session.'),
  roles: SessionRolesSchema.nullable().describe(
    'Roles of the speakers of a voice session; null: not determined yet, or only one speaker.',
  ),
  redaction: SessionRedactionSchema.nullable().describe(
    'What was replaced in the conversation; null: nothing was redacted, or not yet.',
  ),
  assistant: FrozenAssistantSchema,
  assistant_version: z.int().nullable().describe('Version of the assistant; null: a reanalysis with other settings.'),
  audio: SessionAudioSchema.nullable().describe('The recording; null for text sessions and reanalyses.'),
  audio_source: AudioSourceSchema.nullable().describe(
    'The download of a recording that was submitted with `audio_url`; null: no download.',
  ),
  audio_duration_s: z.number().nullable().describe('Duration of the audio in seconds; null: no audio, or unknown.'),
  language: z.string().nullable().describe('Language of the transcript, as the provider reports it.'),
  turn_count: z.int().nullable().describe('Number of turns in `conversation`; null: no conversation yet.'),
  metadata: z.record(z.string(), z.string()),
  source_session_id: typeId('sess')
    .nullable()
    .describe('The session that this one reanalyzes. It may no longer exist.'),
  first_session_id: typeId('sess')
    .optional()
    .describe('The session whose conversation this follow-up analyzes. Deleting it deletes this one. Absent: none.'),
  created_by: z
    .string()
    .nullable()
    .describe('ID of the API token (`key_…`) or user (`user_…`) that submitted the session; null: unknown.')
    .meta({ examples: ['key_01kaj4v5rzf1xtm8w3b2c9d0e7'] }),
  batch_id: typeId('bat').nullable().describe('The batch that created or last ran the session; null: none.'),
  trial: z
    .boolean()
    .describe('true: a trial of settings. It sends no webhook and is not counted in the results of the assistant.'),
  simulated: z.boolean().describe('true: produced by a local stand-in, not by a provider.'),
  temperature_applied: z.boolean().nullable().describe('false: the model does not accept a temperature.'),
  left_out: leftOut(),
  vocabulary: openEnum(['not_supported'])
    .optional()
    .describe('Present if the assistant has a vocabulary and the speech-to-text model takes none.'),
  field_encoding: openEnum(FIELD_ENCODINGS)
    .nullable()
    .describe(
      "`strict`: the fields were requested with a JSON schema. `rows`: as a list of names and values, because the schema exceeds the provider's limits. null: no fields.",
    ),
  review: SessionReviewSchema.nullable().describe('What people said about the result; null: not reviewed.'),
  delivery: SessionDeliverySchema.nullable().describe(
    'The latest delivery of the result or its review, alerts excluded; null: no webhook.',
  ),
});
export type Session = z.output<typeof SessionSchema>;

const SearchHitSchema = responseObject('SearchHit', {
  turn: z.int().describe('Index in `conversation`.'),
  start_s: z.number().nullable().describe('When the turn starts; null: unknown.'),
  text: z.string().describe('The sentence, 200 characters at most.'),
  words: z.array(z.string()).describe('Up to 20 words of the conversation that match, as it writes them.'),
});
export type SearchHit = z.output<typeof SearchHitSchema>;

/** Without the fields that can be megabytes. */
export const SessionListItemSchema = SessionSchema.omit({
  conversation: true,
  conversation_format: true,
  transcript: true,
  roles: true,
  redaction: true,
  raw_response: true,
  assistant: true,
  audio: true,
  audio_source: true,
  queue: true,
  left_out: true,
  vocabulary: true,
})
  .extend({
    error: SessionErrorSchema.nullable(),
    assistant: FrozenAssistantSchema.pick({ id: true, name: true, llm_model: true }).meta({ id: 'SessionAssistant' }),
    fields: z
      .record(z.string(), FieldValueSchema.nullable())
      .nullable()
      .optional()
      .describe('With `include=fields`: the values; null: none.'),
    unverified_fields: z
      .array(z.string())
      .nullable()
      .optional()
      .describe('With `include=fields`: names of the fields whose quotes were not found in the conversation.'),
    hit: SearchHitSchema.nullable()
      .optional()
      .describe(
        'With `include=hit`: where the conversation has the most words of `q`; null: nowhere, or not searched.',
      ),
    reviewed_fields: z
      .record(z.string(), FieldValueSchema.nullable())
      .nullish()
      .describe('In exports with `include=review`: the right answers; null: not reviewed.'),
    review_details: ReviewDetailsSchema.nullable().optional(),
  })
  .meta({ id: 'SessionListItem' });
export type SessionListItem = z.output<typeof SessionListItemSchema>;

export const listSessions = endpoint('listSessions', 'get /v1/sessions', {
  summary: 'List sessions',
  description: 'Newest first, unless `sort` says otherwise.',
  scope: 'sessions:read',
  query: z.strictObject({
    ...sessionFilterQuery,
    sort: z
      .enum(SESSION_SORTS)
      .optional()
      .describe(
        `\`-\` is descending. Default: \`-created_at\`. \`length\`: seconds of audio, or turns. Lists sorted by end, cost or length contain only ended sessions. \`updated_at\`: oldest change first, as in \`updated_after\`. \`random\`: in an order that \`seed\` chooses. ${FOLLOWED}`,
      ),
    seed: queryInteger(0, 999_999_999).optional().describe('Requires `sort=random`. Default: 0.'),
    include: sessionInclude(),
    ...pageQuery('sess'),
    cursor: sortedCursor('sess').optional().describe('`next_cursor` of the previous page in the same order.'),
  }),
  answers: { 200: listOf(SessionListItemSchema).meta({ id: 'SessionList' }) },
});

export const getSession = endpoint('getSession', 'get /v1/sessions/{id}', {
  summary: 'Retrieve a session',
  scope: 'sessions:read',
  readsOwn: true,
  params: z.object({ id: typeId('sess') }),
  query: z.strictObject({
    wait: queryInteger(0, 60)
      .optional()
      .describe('Maximum number of seconds that the request waits for the end of the session.'),
    reveal: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        '`true`: replaces placeholders in the conversation and the result with the originals, if the assistant keeps them. Requires the scope `sessions:reveal`, and is recorded in the audit trail.',
      ),
  }),
  answers: { 200: SessionSchema },
  errors: ['conflict'],
  audit: { action: 'originals_revealed', when: ({ query }) => query.reveal === 'true' },
});
