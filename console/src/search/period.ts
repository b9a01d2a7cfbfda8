/** Periods of today. Days are those of the browser's time zone. */
import type { StatsTotals } from 'conversation-analysis-client';
import { MINUTE_MS, useSteppedNow } from '../format/clock.ts';
import { dayOf, startOf, zoneName } from '../format/times.ts';
import { addDays, periodOf, type Period, type PeriodName } from './named-period.ts';

export const OVERVIEW_RANGES = ['7d', '30d'] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

/** In all time zones, days begin at a quarter of an hour. */
const STEP_MS = 15 * MINUTE_MS;

/** Returns the period as a query of the API. */
export function usePeriod(name: PeriodName): Period & { timezone: string } {
  const today = dayOf(useSteppedNow(STEP_MS));
  return { ...periodOf(name, today), timezone: zoneName() };
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

/** Returns the query of the statistics of the period by day and assistant. */
export const statsOf = (range: OverviewRange, now: number) => {
  const { from } = periodOf(range, dayOf(now));
  return { from: startOf(from), timezone: zoneName(), group_by: 'assistant' } as const;
};

export const countSessions = ({ sessions }: Pick<StatsTotals, 'sessions'>): number =>
  Object.values(sessions).reduce((sum, count) => sum + count, 0);
