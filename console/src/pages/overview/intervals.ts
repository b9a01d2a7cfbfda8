/** The days or hours of a report, including those without activity. */
import type { StatsReport, StatsTotals } from 'conversation-analysis-client';
import { HOUR_MS } from '../../format/clock.ts';
import { dayOf, startOf, startOfHour } from '../../format/times.ts';
import { daysOf } from '../../search/period.ts';

export interface Interval {
  /** ISO time. */
  start: string;
  /** Undefined if nothing happened in the interval. */
  totals: StatsTotals | undefined;
}

/** Returns every interval of the report in chronological order. */
export function intervalsOf({ from, to, interval, data }: StatsReport): Interval[] {
  const end = Date.parse(to) - 1;
  if (interval === 'day') {
    const byDay = new Map(data.map((row) => [dayOf(row.start), row]));
    return daysOf({ from: dayOf(from), to: dayOf(end) }).map((day) => ({
      start: startOf(day),
      totals: byDay.get(day),
    }));
  }
  const byStart = new Map(data.map((row) => [row.start, row]));
  const hours: Interval[] = [];
  for (let ms = Date.parse(startOfHour(Date.parse(from))); ms <= end; ms += HOUR_MS) {
    const start = startOfHour(ms);
    hours.push({ start, totals: byStart.get(start) });
  }
  return hours;
}

const none = { fetching: 0, queued: 0, transcribing: 0, analyzing: 0, completed: 0, failed: 0, canceled: 0 };

/** The totals of an interval without activity that the charts use. */
export const emptyTotals = {
  sessions: none,
  latency_ms: { queue: null, transcription: null, analysis: null, total: null },
  cost_usd: 0,
  cost_known: true,
} as StatsTotals;
