/** How sessions and deliveries went, and how long they took: docs/decisions.md, "Statistics". */
import { z } from 'zod';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, SESSION_STATUSES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { moment, timestamp, typeId } from './fields.ts';

export const STATS_INTERVALS = ['hour', 'day'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

const DAY_MS = 86_400_000;

/** The longest period, and that of a request which names no start. */
export const STATS_PERIOD_DAYS: Record<StatsInterval, { most: number; default: number }> = {
  hour: { most: 14, default: 1 },
  day: { most: 366, default: 30 },
};

const counts = <const N extends string>(names: readonly N[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<N, z.ZodInt>);

const PercentilesSchema = z
  .object({ p50: z.number(), p95: z.number() })
  .meta({ id: 'Percentiles', description: 'Milliseconds.' });

export type Percentiles = z.output<typeof PercentilesSchema>;

const measures = {
  sessions: counts(SESSION_STATUSES).describe('Sessions that were submitted in this time, by what they are now.'),
  deliveries: counts(DELIVERY_STATUSES).describe('Deliveries that were made in this time, by what they are now.'),
  attempt_failures: counts(DELIVERY_FAILURES).describe('Failed attempts of these deliveries.'),
  latency_ms: z.object({
    queue: PercentilesSchema.nullable().describe('From the queue to the first call that began in this time.'),
    transcription: PercentilesSchema.nullable().describe('One call that succeeded.'),
    analysis: PercentilesSchema.nullable().describe('One call that succeeded.'),
    total: PercentilesSchema.nullable().describe('From the queue to the end of a completed session.'),
  }),
};

const StatsRowSchema = z
  .object({
    start: timestamp().describe('Of the interval, in UTC.'),
    assistant_id: typeId('asst').optional().describe('Only when grouped by `assistant`. It may be deleted by now.'),
    ...measures,
  })
  .meta({ id: 'StatsRow' });

export type StatsRow = z.output<typeof StatsRowSchema>;

const StatsTotalsSchema = z
  .object(measures)
  .meta({ id: 'StatsTotals', description: 'Of the whole period; its percentiles are those of all values in it.' });

export type StatsTotals = z.output<typeof StatsTotalsSchema>;

const StatsReportSchema = z
  .object({
    from: timestamp(),
    to: timestamp(),
    interval: z.enum(STATS_INTERVALS),
    data: z.array(StatsRowSchema).describe('In the order of time; without intervals in which nothing happened.'),
    totals: StatsTotalsSchema,
  })
  .meta({ id: 'StatsReport' });

export type StatsReport = z.output<typeof StatsReportSchema>;

/** Returns the period that is meant, whose length is yet to be judged. */
export function readStatsPeriod(
  { from, to, interval }: { from?: string | undefined; to?: string | undefined; interval: StatsInterval },
  now: Date,
): { from: Date; to: Date; days: number } {
  const end = to === undefined ? now : new Date(to);
  const start =
    from === undefined ? new Date(end.getTime() - STATS_PERIOD_DAYS[interval].default * DAY_MS) : new Date(from);
  return { from: start, to: end, days: (end.getTime() - start.getTime()) / DAY_MS };
}

export const getStats = endpoint({
  operationId: 'getStats',
  method: 'get',
  path: '/v1/stats',
  summary: 'How sessions and deliveries went and how long they took, hour by hour or day by day',
  tag: 'Usage',
  auth: 'bearer',
  scope: 'sessions:read',
  query: z.strictObject({
    from: moment().optional().describe('From this moment on. Default: a day before `to` by hour, 30 days by day.'),
    to: moment().optional().describe('Before this moment; at most 14 days by hour, 366 by day. Default: now.'),
    interval: z.enum(STATS_INTERVALS).default('day'),
    group_by: z.enum(['assistant']).optional(),
  }),
  answers: { 200: StatsReportSchema },
});
