/** Statuses of sessions and deliveries: docs/decisions.md, "Statistics". */
import { z } from 'zod';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, SESSION_STATUSES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { moment, openEnum, responseObject, timestamp, timezone, typeId, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Usage');

/** Maximum and default length of the period, in days. */
export const STATS_PERIOD_DAYS = { most: 366, default: 30 };

const counts = <const N extends string>(names: readonly N[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<N, z.ZodInt>);

const measures = {
  sessions: counts(SESSION_STATUSES).describe('Sessions submitted on this day, by current status.'),
  deliveries: counts(DELIVERY_STATUSES).describe('Deliveries created on this day, by current status.'),
  undelivered: z.int().describe('Failed deliveries of this day whose payload was not sent again later.'),
  cost_usd: usd().describe('Sum of the calls of known price that started on this day.'),
  cost_known: z.boolean().describe('false: the price or usage of at least one ended call is unknown.'),
};

const StatsRowSchema = responseObject('StatsRow', {
  start: timestamp().describe('Start of the day.'),
  assistant_id: typeId('asst')
    .optional()
    .describe('Present only when grouped by `assistant`. The assistant may no longer exist.'),
  ...measures,
});
export type StatsRow = z.output<typeof StatsRowSchema>;

const StatsTotalsSchema = z.object(measures).meta({ id: 'StatsTotals', description: 'The whole period.' });
export type StatsTotals = z.output<typeof StatsTotalsSchema>;

export const FailingReceiverSchema = responseObject('FailingReceiver', {
  host: z.string().meta({ examples: ['crm.example.com'] }),
  failed: z.int().describe('Failed deliveries of the period whose payload was not sent again later.'),
  retrying: z.int().describe('Pending deliveries of the period with a failed attempt.'),
  next_attempt_at: timestamp().nullable().describe('Next attempt of the pending deliveries.'),
  failing_since: timestamp().describe('First failed attempt since the host last accepted a delivery before.'),
  failed_until: timestamp().describe('Last failed attempt.'),
  accepted_since: timestamp().nullable().describe('First accepted attempt after the last failed one; null: none.'),
  last_failure: openEnum(DELIVERY_FAILURES),
  last_status_code: z.int().nullable().describe('HTTP status of the last failed attempt; null: no response.'),
  assistant_ids: z.array(typeId('asst')).describe('The assistants with these failed or retrying deliveries.'),
});
export type FailingReceiver = z.output<typeof FailingReceiverSchema>;

/** Maximum number of receivers in a report. */
export const MAX_RECEIVERS = 20;

const StatsReportSchema = responseObject('StatsReport', {
  from: timestamp(),
  to: timestamp(),
  data: z.array(StatsRowSchema).describe('In chronological order. Empty days are omitted.'),
  totals: StatsTotalsSchema,
  receivers: z
    .array(FailingReceiverSchema)
    .describe(
      `Hosts with failed or retrying deliveries, and hosts that accepted a delivery in the last day after a failure. At most ${MAX_RECEIVERS}.`,
    ),
});
export type StatsReport = z.output<typeof StatsReportSchema>;

export const getStats = endpoint('getStats', 'get /v1/stats', {
  summary: 'Retrieve statistics',
  description:
    'Statuses and costs of sessions, and statuses of deliveries, by day. Sessions count when their conversation took place (`occurred_at`), calls and deliveries when they began. Of reanalyses and trials, ' +
    'only the deliveries are counted.',
  scope: 'sessions:read',
  query: z.strictObject({
    from: moment().optional().describe('Start, inclusive. Default: 30 days before `to`.'),
    to: moment().optional().describe('End, exclusive. At most 366 days after `from`. Default: now.'),
    timezone: timezone().default('UTC').describe('Time zone in which days begin, such as `Asia/Tashkent`.'),
    group_by: z.enum(['assistant']).optional(),
  }),
  answers: { 200: StatsReportSchema },
});
