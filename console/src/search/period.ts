/** Periods by their names in URLs. Days are those of the selected time zone. */
import type { StatsTotals } from 'conversation-analysis-client';
import { DAY_MS, HOUR_MS, MINUTE_MS, useSteppedNow } from '../format/clock.ts';
import { addDays, dayOf, startOf, zoneName } from '../format/times.ts';

export const OVERVIEW_RANGES = ['7d', '30d'] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

export const PERIODS = ['7d', '30d', '90d', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];

export interface Period {
  /** First and last day, as ISO dates. */
  from: string;
  to: string;
}

/** Returns the month until a day. */
export const monthOf = (to: string): Period => ({ from: `${to.slice(0, 8)}01`, to });

/** In all time zones, days begin at a quarter of an hour. */
const STEP_MS = 15 * MINUTE_MS;

/** Returns the period, which ends today, as a query of the API. */
export function usePeriod(range: PeriodName): Period & { timezone: string } {
  const to = dayOf(useSteppedNow(STEP_MS));
  const period = range === 'month' ? monthOf(to) : { from: addDays(to, 1 - Number.parseInt(range)), to };
  return { ...period, timezone: zoneName() };
}

/** Returns every day of the period, in order. */
export function daysOf({ from, to }: Period): string[] {
  const days = [from];
  for (let day = from; day < to; days.push(day)) day = addDays(day, 1);
  return days;
}

/** Returns the period as filters of the session list. */
export const momentsOf = ({ from, to }: Period) => ({
  created_after: startOf(from),
  created_before: startOf(addDays(to, 1)),
});

/** Returns the query of the statistics by day and assistant, for the time before a moment. */
export const statsOf = (range: OverviewRange, now: number) => {
  const from = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - Number.parseInt(range) * DAY_MS).toISOString();
  return { from, interval: 'day', timezone: zoneName(), group_by: 'assistant' } as const;
};

export const countSessions = ({ sessions }: Pick<StatsTotals, 'sessions'>): number =>
  Object.values(sessions).reduce((sum, count) => sum + count, 0);
