/** The calls and waits of a session. */
import { z } from 'zod';
import { CALL_STATUSES, DELIVERY_FAILURES, STEPS, PROVIDER_FAULTS } from '../values/constants.ts';
import type { DeliveryFailure, ProviderFault } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, openEnum, responseObject, timestamp, typeId, usd, conversationFormat } from '../values/schemas.ts';
import { ReasonMembers } from '../errors/reason-members.ts';
import { providerMessage } from '../errors/session-error.ts';

const endpoint = endpointsOf('Sessions');

const UsageSchema = responseObject('Usage', {
  input_tokens: z.int().optional().describe('All input tokens, including cached ones.'),
  cache_read_tokens: z.int().optional(),
  cache_write_tokens: z.int().optional(),
  output_tokens: z.int().optional().describe('All output tokens, including reasoning.'),
  audio_seconds: z.number().optional(),
});

const CALL_TIERS = ['flex', 'standard'] as const;
export type CallTier = (typeof CALL_TIERS)[number];

type TimelineCode = ProviderFault | DeliveryFailure | 'canceled' | 'internal';

/** A set, since `timeout` is both a provider's fault and a delivery's failure. */
const TIMELINE_CODES = [
  ...new Set<TimelineCode>([...PROVIDER_FAULTS, ...DELIVERY_FAILURES, 'canceled', 'internal']),
] as [TimelineCode, ...TimelineCode[]];

const TimelineErrorSchema = responseObject('TimelineError', {
  code: openEnum(TIMELINE_CODES),
  http_status: z.int().nullable(),
  message: z.string(),
  ...ReasonMembers,
  provider_error: responseObject('ProviderErrorNames', {
    code: z.string().nullable(),
    type: z.string().nullable(),
    param: z.string().nullable().describe('The parameter of the request that the provider refused.'),
  })
    .optional()
    .describe('What the provider called the error.'),
  provider_message: providerMessage(),
});

const TimelineEntrySchema = responseObject('TimelineEntry', {
  kind: z.enum(['wait', 'call']).describe('`call`: a call to a provider, or an attempt to send a webhook.'),
  step: openEnum(['queue', ...STEPS, 'delivery']),
  attempt: z
    .int()
    .min(1)
    .describe(
      'Number of the call within the step, including retries. For a wait: the number of the next call. In the queue: the number of the run.',
    ),
  delivery_id: typeId('dlv').nullable(),
  alert: z.string().nullable().describe('Name of the alert that the delivery is for.'),
  call_id: z
    .string()
    .nullable()
    .meta({ examples: ['analysis-1'] })
    .describe('ID of a provider call, to retrieve its response.'),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  status: openEnum([...CALL_STATUSES, 'waiting', 'waited']).describe('`lost`: the outcome is unknown.'),
  started_at: timestamp(),
  ended_at: timestamp().nullable(),
  duration_ms: z.int().min(0).nullable(),
  due_at: timestamp().nullable().describe('Planned end of the current wait; null: not planned.'),
  usage: UsageSchema.nullable(),
  tier: openEnum(CALL_TIERS)
    .optional()
    .describe('Present for calls of economy: `flex` was asked for half the price, `standard` was not, or no more.'),
  cost_usd: usd().nullable(),
  error: TimelineErrorSchema.nullable(),
  provider_request_id: z.string().nullable(),
});
export type TimelineEntry = z.output<typeof TimelineEntrySchema>;

export const getSessionTimeline = endpoint('getSessionTimeline', 'get /v1/sessions/{id}/timeline', {
  summary: 'Retrieve the timeline of a session',
  description: 'Returns every call and every wait in chronological order.',
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess') }),
  answers: {
    200: listOf(TimelineEntrySchema)
      .extend({
        conversation_format: conversationFormat(),
        skipped_follow_ups: z
          .array(typeId('asst'))
          .optional()
          .describe('Assistants whose follow-up did not start, because they had been deleted. Absent: none.'),
      })
      .meta({ id: 'Timeline' }),
  },
});

/** The ID of a call within its session: the step and a number. */
const callId = () =>
  z
    .string()
    .regex(new RegExp(`^(${STEPS.join('|')})-[1-9]\\d{0,5}$`))
    .meta({ examples: ['analysis-1'] });

export const ProviderCallSchema = responseObject('ProviderCall', {
  call_id: z.string().meta({ examples: ['analysis-1'] }),
  step: openEnum(STEPS),
  attempt: z.int().min(1),
  provider: z.string(),
  model: z.string().nullable(),
  status: openEnum(CALL_STATUSES),
  started_at: timestamp(),
  ended_at: timestamp().nullable(),
  provider_request_id: z.string().nullable(),
  provider_response: z.unknown().describe("The provider's complete response; null: no response is stored."),
});

export const getSessionCall = endpoint('getSessionCall', 'get /v1/sessions/{id}/calls/{call_id}', {
  summary: 'Retrieve a provider call',
  description: "Includes the provider's response.",
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess'), call_id: callId() }),
  answers: { 200: ProviderCallSchema },
});
