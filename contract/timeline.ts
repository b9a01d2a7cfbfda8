/** What happened in a session, and what it waited for: docs/decisions.md, "Timeline". */
import { z } from 'zod';
import { CALL_STATUSES, DELIVERY_FAILURES, STEPS, VENDOR_FAULTS } from './constants.ts';
import type { DeliveryFailure, VendorFault } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, openEnum, timestamp, typeId, usd } from './fields.ts';

const UsageSchema = z
  .object({
    input_tokens: z.int().optional().describe('All input tokens, cached ones included.'),
    cache_read_tokens: z.int().optional(),
    output_tokens: z.int().optional().describe('All output tokens, reasoning included.'),
    audio_seconds: z.number().optional(),
  })
  .meta({ id: 'Usage' });

type TimelineCode = VendorFault | DeliveryFailure | 'canceled' | 'internal';

/** `timeout` is both a vendor's fault and a receiver's. */
const TIMELINE_CODES = [...new Set<TimelineCode>([...VENDOR_FAULTS, ...DELIVERY_FAILURES, 'canceled', 'internal'])] as [
  TimelineCode,
  ...TimelineCode[],
];

const TimelineErrorSchema = z
  .object({
    code: openEnum(TIMELINE_CODES),
    http_status: z.int().nullable(),
    message: z.string(),
  })
  .meta({ id: 'TimelineError' });

const TimelineEntrySchema = z
  .object({
    kind: z.enum(['wait', 'call']).describe('`call`: to a vendor, or one attempt to post a webhook.'),
    step: openEnum(['queue', ...STEPS, 'delivery']),
    attempt: z
      .int()
      .min(1)
      .describe(
        'Of its step, retried runs included. A wait has that of the call it comes before; in the queue, of the run.',
      ),
    delivery_id: typeId('dlv').nullable(),
    call_id: z
      .string()
      .nullable()
      .meta({ examples: ['analysis-1'] })
      .describe('Of a call to a vendor, whose answer can be read by it.'),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    status: openEnum([...CALL_STATUSES, 'waiting', 'waited']).describe('`lost`: nobody knows how it ended.'),
    started_at: timestamp(),
    ended_at: timestamp().nullable(),
    duration_ms: z.int().min(0).nullable(),
    due_at: timestamp().nullable().describe('When a wait that goes on is to end; null where that is not fixed.'),
    usage: UsageSchema.nullable(),
    cost_usd: usd().nullable(),
    error: TimelineErrorSchema.nullable(),
    vendor_request_id: z.string().nullable(),
  })
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.output<typeof TimelineEntrySchema>;

export const getSessionTimeline = endpoint({
  operationId: 'getSessionTimeline',
  method: 'get',
  path: '/v1/sessions/{id}/timeline',
  summary: 'Every call and every wait of a session, in the order of time',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess') }),
  answers: { 200: listOf(TimelineEntrySchema).meta({ id: 'Timeline' }) },
});
