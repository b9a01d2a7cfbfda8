/** What needs attention in a workspace: docs/operations.md, "Alerts". */
import { z } from 'zod';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, moment, openEnum, responseObject, timestamp } from '../values/schemas.ts';

const endpoint = endpointsOf('Usage');

export const ATTENTION_CODES = [
  'provider_unavailable',
  'sessions_queued',
  'deliveries_failing',
  'sessions_failed',
  'storage_nearly_full',
  'budget_nearly_spent',
] as const;

const AttentionSchema = responseObject('Attention', {
  code: openEnum(ATTENTION_CODES),
  subject: z
    .string()
    .nullable()
    .describe(
      'The provider, the host of the webhook, the error code of the sessions, or `recordings` or `conversations`.',
    ),
  since: timestamp().nullable().describe('Since when; of failed sessions, the time of the last one.'),
  reason: z.string().nullable().describe('Fault of the provider or of the delivery.'),
  next_try_at: timestamp().nullable().describe('Next call or attempt; null: none is planned.'),
  figures: z
    .record(z.string(), z.number())
    .describe('Numbers of sessions or deliveries, HTTP status, bytes or US dollars, by name.')
    .meta({ examples: [{ failed: 3, retrying: 1, status_code: 503 }] }),
  providers: z.array(z.string()).describe('The providers whose calls failed.'),
  assistant_ids: z.array(z.string()).describe('The assistants with these deliveries.'),
  action: z
    .string()
    .describe('What to do.')
    .meta({ examples: ['Fix the receiver, then redeliver.'] }),
});
export type Attention = z.output<typeof AttentionSchema>;

export const getAttention = endpoint('getAttention', 'get /v1/attention', {
  summary: 'List what needs attention',
  description:
    'Facts of the workspace; an empty list if nothing is wrong. Deliveries need the scope `webhooks:read`, storage and budget `usage:read`. ' +
    'Sessions wait for a provider for more than 30 s, or are queued for more than 10 minutes; storage is 90 % full; 80 % of the monthly budget is spent.',
  scope: 'sessions:read',
  query: z.strictObject({
    from: moment().optional().describe('Failures since this time, at most 366 days ago. Default: a day ago.'),
  }),
  answers: { 200: listOf(AttentionSchema).meta({ id: 'AttentionList' }) },
});
