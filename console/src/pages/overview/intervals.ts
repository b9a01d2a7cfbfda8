/** The days or hours of a report, including those without activity. */
import type { StatsReport, StatsTotals } from 'conversation-analysis-client';
import { DAY_MS, HOUR_MS } from '../../format/clock.ts';

export interface Interval {
  /** ISO time. */
  start: string;
  /** Undefined if nothing happened in the interval. */
  totals: StatsTotals | undefined;
}

/** Returns every interval of the report in chronological order. */
export function intervalsOf({ from, to, interval, data }: StatsReport): Interval[] {
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const byStart = new Map(data.map((row) => [row.start, row]));
  const first = Math.floor(Date.parse(from) / stepMs);
  const count = Math.ceil(Date.parse(to) / stepMs) - first;
  return Array.from({ length: count }, (_, index) => {
    const start = new Date((first + index) * stepMs).toISOString();
    return { start, totals: byStart.get(start) };
  });
}

const none = { fetching: 0, queued: 0, transcribing: 0, analyzing: 0, completed: 0, failed: 0, canceled: 0 };

/** The totals of an interval without activity that the charts use. */
export const emptyTotals = {
  sessions: none,
  latency_ms: { queue: null, transcription: null, analysis: null, total: null },
  cost_usd: 0,
  cost_known: true,
} as StatsTotals;
