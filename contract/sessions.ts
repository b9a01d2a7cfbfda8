/** Sessions, the results of submitted conversations: spec §2.4; additions: docs/decisions.md, "Session". */
import { z } from 'zod';
import {
  ASSISTANT_TYPES,
  DELIVERY_STATUSES,
  FIELD_ENCODINGS,
  SESSION_ERROR_CODES,
  SESSION_STATUSES,
  STEPS,
  VENDOR_FAULTS,
} from './constants.ts';
import { endpoint } from './endpoint.ts';
import { FallbackSchema } from './fallback.ts';
import { listOf, openEnum, pageQuery, queryInteger, timestamp, typeId, usd } from './fields.ts';
import { FieldValueSchema, ResultFieldSchema } from './result-fields.ts';
import { SessionRolesSchema } from './roles.ts';
import { sessionFilterQuery, sessionInclude } from './session-filter.ts';
import { VersionedSettingsSchema } from './versioned-settings.ts';

export const TurnSchema = z
  .object({
    role: z.string(),
    text: z.string(),
    start_s: z.number().optional().describe('Seconds from the start of the audio; voice only, where known.'),
    end_s: z.number().optional(),
  })
  .meta({ id: 'Turn' });

export type Turn = z.output<typeof TurnSchema>;

export const TranscriptSchema = z
  .object({
    text: z.string(),
    language: z.string().nullable().describe('As the vendor reports it; null where it does not.'),
    duration_s: z.number().nullable().describe('Seconds of audio; null where neither file nor vendor tells.'),
  })
  .meta({ id: 'Transcript' });

export type Transcript = z.output<typeof TranscriptSchema>;

export const SessionErrorSchema = z
  .object({
    code: openEnum(SESSION_ERROR_CODES),
    stage: openEnum(STEPS),
    provider: z.string().nullable(),
    message: z.string(),
    retryable: z.boolean(),
  })
  .meta({ id: 'SessionError' });

export type SessionError = z.output<typeof SessionErrorSchema>;

/** The assistant's settings as they were when the conversation was submitted; no webhook, no secret. */
const FrozenAssistantSchema = z
  .object({
    id: typeId('asst'),
    name: z.string(),
    type: openEnum(ASSISTANT_TYPES),
    ...VersionedSettingsSchema.omit({ channel_roles: true, fallback: true, fields: true }).shape,
    channel_roles: z.array(z.string()).optional().describe('Absent where there are none.'),
    fallback: FallbackSchema.optional().describe('Absent where there is none.'),
    fields: z.array(ResultFieldSchema).optional().describe('Absent where there are none.'),
  })
  .meta({ id: 'FrozenAssistant' });

export type FrozenAssistant = z.output<typeof FrozenAssistantSchema>;

const CostItemSchema = z
  .object({
    step: openEnum(STEPS),
    provider: z.string(),
    model: z.string().nullable(),
    calls: z.int(),
    cost_usd: usd().nullable().describe('null: the price is not known.'),
    cost_known: z.boolean().describe('false: at least one of the calls has no known cost.'),
  })
  .meta({ id: 'CostItem' });

export type CostItem = z.output<typeof CostItemSchema>;

const SessionDeliverySchema = z
  .object({
    delivery_id: typeId('dlv'),
    status: openEnum(DELIVERY_STATUSES),
    next_attempt_at: timestamp().nullable(),
  })
  .meta({ id: 'SessionDelivery' });

const SessionAudioSchema = z
  .object({
    available: z.boolean().describe('false: it is removed, and `GET …/audio` answers 404.'),
    content_type: z.string().nullable().describe('null: it is removed.'),
    bytes: z.int().nullable().describe('null: it is removed.'),
    expires_at: timestamp().nullable().describe('From when on it is removed; null while the session runs.'),
  })
  .meta({ id: 'SessionAudio' });

export type SessionAudio = z.output<typeof SessionAudioSchema>;

const AnsweredBySchema = z
  .object({
    step: openEnum(STEPS),
    provider: z.string(),
    model: z.string().nullable(),
    reason: openEnum(VENDOR_FAULTS),
  })
  .meta({ id: 'AnsweredBy' });

export type AnsweredBy = z.output<typeof AnsweredBySchema>;

const VendorWaitSchema = z
  .object({
    provider: z.string(),
    since: timestamp(),
    reason: openEnum(VENDOR_FAULTS),
  })
  .meta({ id: 'VendorWait' });

export const SessionSchema = z
  .object({
    session_id: typeId('sess'),
    assistant_id: typeId('asst'),
    type: openEnum(ASSISTANT_TYPES),
    status: openEnum(SESSION_STATUSES),
    summary_text: z.string().nullable(),
    raw_response: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The model's JSON object; with `fields`, `evidence` and `problems` where the assistant has fields."),
    total_cost: usd().describe('US dollars: the sum of all vendor calls whose price is known.'),
    cost_known: z.boolean().describe('false: at least one call has no known price, or its usage was never reported.'),
    cost_breakdown: z.array(CostItemSchema),
    created_at: timestamp(),
    completed_at: timestamp().nullable(),
    waiting_for: VendorWaitSchema.nullable().describe('The vendor that is away, while the session is queued for it.'),
    answered_by: z
      .array(AnsweredBySchema)
      .nullable()
      .describe('Steps that the fallback did, with the fault of the vendor before it; null: none.'),
    error: SessionErrorSchema.nullable(),
    conversation: z
      .array(TurnSchema)
      .nullable()
      .describe('What was submitted; for voice the turns of the transcript, once there is one.'),
    transcript: TranscriptSchema.nullable().describe('Voice only.'),
    roles: SessionRolesSchema.nullable().describe(
      'Which speaker is who; voice only. null: not asked for yet, or there are no two speakers to tell apart.',
    ),
    assistant: FrozenAssistantSchema,
    assistant_version: z
      .int()
      .nullable()
      .describe('Version of the assistant; null: from before there were versions, or reanalyzed with other settings.'),
    audio: SessionAudioSchema.nullable().describe('The recording; null for text and for a reanalysis, which has none.'),
    audio_duration_s: z.number().nullable().describe('Seconds of audio; null where there is none, or nobody tells.'),
    language: z.string().nullable().describe('Of the transcript, as the vendor reports it.'),
    turn_count: z.int().nullable().describe('Turns of `conversation`; null before there are any.'),
    metadata: z.record(z.string(), z.string()),
    source_session_id: typeId('sess')
      .nullable()
      .describe('The session whose transcript this one analyzes anew. It may be deleted by now.'),
    batch_id: typeId('bat').nullable().describe('The batch that made it, or ran it last; null: none.'),
    trial: z
      .boolean()
      .describe('true: it tries settings. It has no delivery, and results of the assistant do not count it.'),
    simulated: z
      .boolean()
      .describe("true: made with the stand-in vendors of a local start, not with a vendor's model."),
    temperature_applied: z.boolean().nullable().describe('false: the model does not take the temperature.'),
    field_encoding: openEnum(FIELD_ENCODINGS)
      .nullable()
      .describe(
        "How the fields were asked for: `strict`, with a schema of their own, or `rows`, where that is beyond the vendor's limits. null: no fields.",
      ),
    delivery: SessionDeliverySchema.nullable().describe('The latest delivery; null without a webhook.'),
  })
  .meta({ id: 'Session' });

export type Session = z.output<typeof SessionSchema>;

/** Without the parts that can be megabytes. */
const SessionListItemSchema = SessionSchema.omit({
  conversation: true,
  transcript: true,
  roles: true,
  raw_response: true,
  assistant: true,
  audio: true,
})
  .extend({
    assistant: FrozenAssistantSchema.pick({ id: true, name: true, llm_model: true }).meta({ id: 'SessionAssistant' }),
    fields: z
      .record(z.string(), FieldValueSchema.nullable())
      .nullable()
      .optional()
      .describe('With `include=fields`: the values; null where there are none.'),
    unverified_fields: z
      .array(z.string())
      .nullable()
      .optional()
      .describe('With `include=fields`: the names of values none of whose quotations stands.'),
  })
  .meta({ id: 'SessionListItem' });

export type SessionListItem = z.output<typeof SessionListItemSchema>;

export const listSessions = endpoint({
  operationId: 'listSessions',
  method: 'get',
  path: '/v1/sessions',
  summary: 'Sessions of the user, newest first',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  query: z.strictObject({
    ...sessionFilterQuery,
    include: sessionInclude(),
    ...pageQuery('sess'),
  }),
  answers: { 200: listOf(SessionListItemSchema).meta({ id: 'SessionList' }) },
});

export const getSession = endpoint({
  operationId: 'getSession',
  method: 'get',
  path: '/v1/sessions/{id}',
  summary: 'One session',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess') }),
  query: z.strictObject({
    wait: queryInteger(0, 60)
      .optional()
      .describe('Answer when the session has ended, or after so many seconds with the session as it stands.'),
  }),
  answers: { 200: SessionSchema },
});

/** What `getSessionAudio` answers with: what `POST /v1/requests/voice` takes. */
export const AUDIO_MEDIA_TYPES = [
  ...['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/flac', 'audio/ogg', 'audio/webm'],
  ...['video/mp4', 'video/webm'],
] as const;

export const getSessionAudio = endpoint({
  operationId: 'getSessionAudio',
  method: 'get',
  path: '/v1/sessions/{id}/audio',
  summary: 'The recording of a session, whole or in part; 404 once it is removed',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess') }),
  headers: z.object({
    range: z
      .string()
      .optional()
      .describe('One range of bytes; several are answered with the whole. RFC 9110.')
      .meta({ examples: ['bytes=0-65535'] }),
    'if-range': z.string().optional().describe('`ETag` of the recording that the range is meant for.'),
    'if-none-match': z.string().optional().describe('`ETag` of what the client has; answered with 304.'),
  }),
  answers: { 200: null, 206: null, 304: null },
  produces: AUDIO_MEDIA_TYPES,
  errors: ['range_not_satisfiable'],
});
