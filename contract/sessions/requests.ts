/** Submitting conversations: specification §2.5 and §4.4. */
import { z } from 'zod';
import { FormatError } from '../../clients/typescript/uploads/format-error.ts';
import { readConversation } from '../../clients/typescript/uploads/read-conversation.ts';
import { rule, ruleIssue } from '../errors/rule.ts';
import { audioHeaders, audioUrl } from './audio-source.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { METADATA_KEY, METADATA_VALUE, moment, requestObject, text, typeId } from '../values/schemas.ts';
import { SessionSchema } from './sessions.ts';

const endpoint = endpointsOf('Requests');

/** Limits: docs/decisions.md, "Size of a conversation". */
const MAX_TURNS = 5_000;
/** A week. */
const MAX_TURN_TIME_S = 604_800;
export const MAX_TEXT_REQUEST_BYTES = 5 * 1024 * 1024;
/** Takes at most a tenth of a second to read, which delays all other requests. */
export const MAX_CONVERSATION_CHARACTERS = 250_000;

/** An optional property. Programs without code send an empty text for what they have no value for. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional();

const turnTime = (description: string) => optional(z.number().min(0).max(MAX_TURN_TIME_S)).describe(description);

const TurnInputSchema = requestObject('TurnInput', {
  role: text({ min: 1, max: 64 })
    .describe('Speaker, usually `operator` or `client`.')
    .meta({ examples: ['operator'] }),
  text: text({ min: 1, max: 100_000 }).meta({ examples: ['Good morning, how can I help?'] }),
  start_s: turnTime('Seconds from the start of the conversation to the start of the turn, if known.'),
  end_s: turnTime('Seconds from the start of the conversation to the end of the turn, if known.'),
}).refine(({ start_s = 0, end_s = start_s }) => end_s >= start_s, {
  path: ['end_s'],
  ...rule('order', { other: 'start_s' }),
});

/** Numbers and booleans as text. A whole number above 2^53 has lost digits already. */
const toText = (value: unknown) =>
  typeof value === 'boolean' || (typeof value === 'number' && (Number.isSafeInteger(value) || value % 1 !== 0))
    ? String(value)
    : value;

export const MAX_PAIRS = { max: 16, unit: 'pairs' } as const;

const isInLimit = (pairs: object) => Object.keys(pairs).length <= MAX_PAIRS.max;

/** Key-value pairs of the client, returned with the session. */
const MetadataSchema = z
  .record(
    METADATA_KEY,
    z.preprocess(toText, METADATA_VALUE).meta({ override: { type: ['string', 'number', 'boolean'] } }),
  )
  .refine(isInLimit, rule('too_many', MAX_PAIRS))
  .describe('Numbers and booleans are stored as text.')
  .meta({ maxProperties: 16, override: { examples: [{ call_id: 'c-1042' }] } });

export const MetadataChangesSchema = z
  .record(
    METADATA_KEY,
    z
      .preprocess(toText, METADATA_VALUE.nullable())
      .meta({ override: { type: ['string', 'number', 'boolean', 'null'] } }),
  )
  .refine(isInLimit, rule('too_many', MAX_PAIRS))
  .describe('Pairs to add or to replace; null removes a pair. At most 16 pairs, also afterwards.')
  .meta({ maxProperties: 16, override: { examples: [{ outcome: 'paid' }] } });

const TurnsSchema = z
  .array(TurnInputSchema)
  .min(1, rule('too_few:have', { min: 'one', unit: 'turn' }))
  .max(MAX_TURNS);

/** Returns the turns of a text, as files are read; another value unchanged. */
function readText(value: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof value !== 'string') return value;
  try {
    if (value.length <= MAX_CONVERSATION_CHARACTERS) return readConversation(value).turns;
    context.addIssue(ruleIssue([], 'max_characters', { max: MAX_CONVERSATION_CHARACTERS }));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    context.addIssue(ruleIssue([], 'unreadable', { problem: error.message }));
  }
  return z.NEVER;
}

/** Documented as turns, which typed clients send: a choice of types would wrap every conversation in a class of its own. */
const ConversationSchema = z
  .preprocess(readText, TurnsSchema)
  .describe(
    `Also one text of at most ${MAX_CONVERSATION_CHARACTERS} characters: \`operator: …\` on each line, an exported chat, subtitles, or JSON. Another text is what \`unknown\` said. Messages without words of a person are skipped.`,
  );

/** The header `Prefer`. Unknown and malformed preferences are ignored. RFC 7240. */
export const prefer = () =>
  z
    .string()
    .optional()
    .describe(
      '`respond-async`: returns 202 at once. `wait=N`: waits at most N seconds, up to the limit of the service, then returns 202.',
    )
    .meta({ examples: ['wait=10'] });

/** The header `Idempotency-Key`. A key is stored for 24 hours. */
export const idempotencyKey = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, rule('printable:dense', { max: 255 }))
    .optional()
    .describe(
      'A unique key for this request, chosen by the client. Repeating the request with the same key returns the same ' +
        'result, even while the first request runs. Using the key for a different request is refused. Keys are kept for 24 hours.',
    )
    .meta({ examples: ['0d7c1f6e-5a3b-4a7e-9c57-2f6d1c3b8e90'] });

/** Metadata in a form, where it can only be text. */
const MetadataTextSchema = z
  .string()
  .meta({ contentMediaType: 'application/json', examples: ['{"call_id":"c-1042"}'] })
  .transform((value, context): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue(ruleIssue([], 'format', { format: 'a JSON object' }));
      return z.NEVER;
    }
  })
  .pipe(MetadataSchema);

const DAY_MS = 24 * 3_600_000;
const MAX_AGE_YEARS = 10;

const occurredAt = () =>
  optional(
    moment().refine(
      (time) => {
        const ageMs = Date.now() - Date.parse(time);
        return ageMs >= -DAY_MS && ageMs <= MAX_AGE_YEARS * 365.25 * DAY_MS;
      },
      rule('format', { format: `within the last ${MAX_AGE_YEARS} years, and at most a day in the future` }),
    ),
  ).describe('When the conversation took place, for lists, results and accuracy. Default: now.');

const WAITING = 'Waits for the result, unless `Prefer` says otherwise.';

const headers = z.object({ prefer: prefer(), 'idempotency-key': idempotencyKey() });

export const submitTextRequest = endpoint('submitTextRequest', 'post /v1/requests/text', {
  summary: 'Analyze a dialogue',
  description: WAITING,
  scope: 'requests:write',
  headers,
  body: requestObject('TextRequestInput', {
    assistant_id: typeId('asst'),
    conversation: ConversationSchema,
    language: optional(
      z
        .string()
        .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, rule('format', { format: 'a language code' }))
        .meta({ examples: ['ru'] }),
    ).describe(
      'Language of the conversation, in which redaction searches names and addresses. Default: `stt_language` of the assistant.',
    ),
    metadata: optional(MetadataSchema),
    occurred_at: occurredAt(),
  }),
  bodyLimit: MAX_TEXT_REQUEST_BYTES,
  answers: { 200: SessionSchema, 202: SessionSchema },
  location: '/v1/sessions/{session_id}',
  errors: ['quota_exceeded', 'idempotency_key_reused', 'budget_exceeded', 'provider_failed'],
});

export const submitVoiceRequest = endpoint('submitVoiceRequest', 'post /v1/requests/voice', {
  summary: 'Transcribe and analyze a recording',
  description: `Send a form with the file, or JSON with a URL from which the service downloads the recording. ${WAITING}`,
  scope: 'requests:write',
  headers,
  upload: {
    fields: requestObject('VoiceRequestInput', {
      assistant_id: typeId('asst'),
      metadata: optional(MetadataTextSchema),
      occurred_at: occurredAt(),
    }),
    file: 'audio_file',
  },
  body: requestObject('VoiceUrlRequestInput', {
    assistant_id: typeId('asst'),
    audio_url: audioUrl(),
    audio_headers: optional(audioHeaders()),
    file_name: optional(text({ min: 1, max: 255 }).meta({ examples: ['c-1042.mp3'] })).describe(
      'Name of the recording for downloads. Default: `recording`.',
    ),
    metadata: optional(MetadataSchema),
    occurred_at: occurredAt(),
  }),
  answers: { 200: SessionSchema, 202: SessionSchema },
  location: '/v1/sessions/{session_id}',
  errors: [
    'quota_exceeded',
    'payload_too_large',
    'unsupported_media_type',
    'request_timeout',
    'idempotency_key_reused',
    'budget_exceeded',
    'provider_failed',
    'audio_unreachable',
    'audio_rejected',
  ],
});
