/** Statuses and durations of sessions and deliveries. */
import { z } from 'zod';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, SESSION_ERROR_CODES, SESSION_STATUSES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { moment, openEnum, responseObject, timestamp, timezone, typeId, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Usage');

const STATS_INTERVALS = ['hour', 'day'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

/** Maximum and default length of the period, in days. */
export const STATS_PERIOD_DAYS: Record<StatsInterval, { most: number; default: number }> = {
  hour: { most: 14, default: 1 },
  day: { most: 366, default: 30 },
};

const counts = <const N extends string>(names: readonly N[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<N, z.ZodInt>);

const PercentilesSchema = z
  .object({ p50: z.number(), p95: z.number() })
  .meta({ id: 'Percentiles', description: 'Percentiles in milliseconds.' });
export type Percentiles = z.output<typeof PercentilesSchema>;

const measures = {
  sessions: counts(SESSION_STATUSES).describe('Sessions submitted in this interval, by current status.'),
  deliveries: counts(DELIVERY_STATUSES).describe('Deliveries created in this interval, by current status.'),
  undelivered: z.int().describe('Failed deliveries of this interval whose payload was not sent again later.'),
  attempt_failures: counts(DELIVERY_FAILURES).describe('Failed attempts of these deliveries.'),
  latency_ms: z.object({
    queue: PercentilesSchema.nullable().describe(
      'Time in the queue until the first call, in the interval in which this call started.',
    ),
    transcription: PercentilesSchema.nullable().describe('Duration of a successful call.'),
    analysis: PercentilesSchema.nullable().describe('Duration of a successful call.'),
    total: PercentilesSchema.nullable().describe('Time from entering the queue until a completed session ended.'),
  }),
  cost_usd: usd().describe('Sum of the calls of known price that started in this interval.'),
  cost_known: z.boolean().describe('false: the price or usage of at least one ended call is unknown.'),
};

const StatsRowSchema = responseObject('StatsRow', {
  start: timestamp().describe('Start of the interval.'),
  assistant_id: typeId('asst')
    .optional()
    .describe('Present only when grouped by `assistant`. The assistant may no longer exist.'),
  ...measures,
});
export type StatsRow = z.output<typeof StatsRowSchema>;

const StatsTotalsSchema = z
  .object(measures)
  .meta({ id: 'StatsTotals', description: 'The whole period. Percentiles are computed from all values.' });
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

export const SessionFailuresSchema = responseObject('SessionFailures', {
  code: openEnum(SESSION_ERROR_CODES),
  count: z.int(),
  retryable: z.int().describe('Number of these sessions that can be retried.'),
  providers: z.array(z.string()).describe('The providers whose calls failed.'),
  first_at: timestamp(),
  last_at: timestamp(),
});
export type SessionFailures = z.output<typeof SessionFailuresSchema>;

/** Maximum number of receivers in a report. */
export const MAX_RECEIVERS = 20;

const StatsReportSchema = responseObject('StatsReport', {
  from: timestamp(),
  to: timestamp(),
  interval: z.enum(STATS_INTERVALS),
  data: z.array(StatsRowSchema).describe('In chronological order. Empty intervals are omitted.'),
  totals: StatsTotalsSchema,
  receivers: z
    .array(FailingReceiverSchema)
    .describe(
      `Hosts with failed or retrying deliveries, and hosts that accepted a delivery in the last day after a failure. At most ${MAX_RECEIVERS}.`,
    ),
  session_failures: z.array(SessionFailuresSchema).describe('Failed sessions by error, most frequent first.'),
});
export type StatsReport = z.output<typeof StatsReportSchema>;

export const getStats = endpoint('getStats', 'get /v1/stats', {
  summary: 'Retrieve statistics',
  description:
    'Statuses, durations and costs of sessions, and statuses of deliveries, by hour or by day. Sessions count when their conversation took place (`occurred_at`), calls and deliveries when they began. Of reanalyses and trials, ' +
    'only the deliveries are counted.',
  scope: 'sessions:read',
  query: z.strictObject({
    from: moment()
      .optional()
      .describe('Start, inclusive. Default: 30 days before `to`, or one day with `interval=hour`.'),
    to: moment()
      .optional()
      .describe('End, exclusive. At most 366 days after `from`, or 14 with `interval=hour`. Default: now.'),
    interval: z.enum(STATS_INTERVALS).default('day'),
    timezone: timezone().default('UTC').describe('Time zone in which days and hours begin, such as `Asia/Tashkent`.'),
    group_by: z.enum(['assistant']).optional(),
  }),
  answers: { 200: StatsReportSchema },
});
