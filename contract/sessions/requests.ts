/** Submitting conversations: specification §2.5 and §4.4. */
import { z } from 'zod';
import { rule, ruleIssue } from '../errors/rule.ts';
import { audioHeaders, audioUrl } from './audio-source.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { metadataPairs, requestObject, text, typeId } from '../values/schemas.ts';
import { SessionSchema } from './sessions.ts';

const endpoint = endpointsOf('Requests');

/** Limits: docs/decisions.md, "Size of a conversation". */
const MAX_TURNS = 5_000;
/** A week. */
const MAX_TURN_TIME_S = 604_800;
export const MAX_TEXT_REQUEST_BYTES = 5 * 1024 * 1024;

const turnTime = (description: string) => z.number().min(0).max(MAX_TURN_TIME_S).optional().describe(description);

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

/** Key-value pairs of the client, returned with the session. */
const MetadataSchema = metadataPairs()
  .refine((pairs) => Object.keys(pairs).length <= 16, rule('too_many', { max: 16, unit: 'pairs' }))
  .meta({ maxProperties: 16, examples: [{ call_id: 'c-1042' }] });

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

const WAITING = 'Waits for the result, unless `Prefer` says otherwise.';

const headers = z.object({ prefer: prefer(), 'idempotency-key': idempotencyKey() });

export const submitTextRequest = endpoint('submitTextRequest', 'post /v1/requests/text', {
  summary: 'Analyze a dialogue',
  description: WAITING,
  scope: 'requests:write',
  headers,
  body: requestObject('TextRequestInput', {
    assistant_id: typeId('asst'),
    conversation: z
      .array(TurnInputSchema)
      .min(1, rule('too_few:have', { min: 'one', unit: 'turn' }))
      .max(MAX_TURNS),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, rule('format', { format: 'a language code' }))
      .meta({ examples: ['ru'] })
      .optional()
      .describe(
        'Language of the conversation, in which redaction searches names and addresses. Default: `stt_language` of the assistant.',
      ),
    metadata: MetadataSchema.optional(),
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
      metadata: MetadataTextSchema.optional(),
    }),
    file: 'audio_file',
  },
  body: requestObject('VoiceUrlRequestInput', {
    assistant_id: typeId('asst'),
    audio_url: audioUrl(),
    audio_headers: audioHeaders().optional(),
    file_name: text({ min: 1, max: 255 })
      .describe('Name of the recording for downloads. Default: `recording`.')
      .meta({ examples: ['c-1042.mp3'] })
      .optional(),
    metadata: MetadataSchema.optional(),
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
