/** Periods by their names in URLs. Days are in UTC, as in the API. */
import { DAY_MS } from '../format/clock.ts';

export const OVERVIEW_RANGES = ['24h', '7d', '30d'] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

export const PERIODS = ['7d', '30d', '90d', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];

export interface Period {
  /** First and last day, as ISO dates. */
  from: string;
  to: string;
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the period, which ends today. */
export function periodOf(range: PeriodName, now: number): Period {
  const to = isoDay(now);
  if (range === 'month') return { from: `${to.slice(0, 8)}01`, to };
  return { from: isoDay(now - (Number.parseInt(range) - 1) * DAY_MS), to };
}

/** Returns every day of the period, in order. */
export function daysOf({ from, to }: Period): string[] {
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, day) => isoDay(first + day * DAY_MS));
}

/** Returns the period as filters of the session list. */
export const momentsOf = ({ from, to }: Period) => ({
  created_after: `${from}T00:00:00Z`,
  created_before: new Date(Date.parse(to) + DAY_MS).toISOString(),
});
