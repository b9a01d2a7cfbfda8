/** Submitting conversations: spec §2.5 and §4.4. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { metadataPairs, text, typeId } from './fields.ts';
import { SessionSchema } from './sessions.ts';

/** Bounds: docs/decisions.md, "Size of a conversation". */
export const MAX_TURNS = 5_000;
export const MAX_TEXT_REQUEST_BYTES = 5 * 1024 * 1024;

const TurnInputSchema = z
  .strictObject({
    role: text({ min: 1, max: 64 })
      .describe('Who spoke, usually `operator` or `client`.')
      .meta({ examples: ['operator'] }),
    text: text({ min: 1, max: 100_000 }).meta({ examples: ['Good morning, how can I help?'] }),
  })
  .meta({ id: 'TurnInput' });

/** Pairs of the caller's own, kept and echoed on the session. */
const MetadataSchema = metadataPairs()
  .refine((pairs) => Object.keys(pairs).length <= 16, 'must have at most 16 pairs')
  .meta({ maxProperties: 16, examples: [{ call_id: 'c-1042' }] });

/** Declares the header `Prefer`, whose unknown and malformed preferences are ignored. RFC 7240. */
export const prefer = () =>
  z
    .string()
    .optional()
    .describe(
      '`respond-async`: answer 202 at once. `wait=N`: wait N seconds at most, and never more than the service would.',
    )
    .meta({ examples: ['wait=10'] });

/** Declares the header `Idempotency-Key`, which is kept for 24 hours. */
export const idempotencyKey = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without blanks')
    .optional()
    .describe(
      'Chosen by the client, once per request it means. The same key with the same request gives the same answer, also ' +
        'while that is under way; with another request it is refused.',
    )
    .meta({ examples: ['0d7c1f6e-5a3b-4a7e-9c57-2f6d1c3b8e90'] });

const requestHeaders = () => z.object({ prefer: prefer(), 'idempotency-key': idempotencyKey() });

/** Pairs as the text of a JSON object: a form has no other way. */
const MetadataTextSchema = z
  .string()
  .meta({ contentMediaType: 'application/json', examples: ['{"call_id":"c-1042"}'] })
  .transform((value, context): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  })
  .pipe(MetadataSchema);

export const submitTextRequest = endpoint({
  operationId: 'submitTextRequest',
  method: 'post',
  path: '/v1/requests/text',
  summary: 'Analyze a dialogue; waits for the result unless `Prefer` says otherwise',
  tag: 'Requests',
  auth: 'bearer',
  scope: 'requests:write',
  headers: requestHeaders(),
  body: z
    .strictObject({
      assistant_id: typeId('asst'),
      conversation: z.array(TurnInputSchema).min(1, 'must have at least one turn').max(MAX_TURNS),
      metadata: MetadataSchema.optional(),
    })
    .meta({ id: 'TextRequestInput' }),
  bodyLimit: MAX_TEXT_REQUEST_BYTES,
  answers: { 200: SessionSchema, 202: SessionSchema },
  location: '/v1/sessions/{session_id}',
  errors: ['idempotency_key_reused', 'budget_exceeded', 'provider_failed'],
});

export const submitVoiceRequest = endpoint({
  operationId: 'submitVoiceRequest',
  method: 'post',
  path: '/v1/requests/voice',
  summary: 'Transcribe and analyze a recording; waits for the result unless `Prefer` says otherwise',
  tag: 'Requests',
  auth: 'bearer',
  scope: 'requests:write',
  headers: requestHeaders(),
  upload: {
    fields: z
      .strictObject({ assistant_id: typeId('asst'), metadata: MetadataTextSchema.optional() })
      .meta({ id: 'VoiceRequestInput' }),
    file: 'audio_file',
  },
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
  ],
});
