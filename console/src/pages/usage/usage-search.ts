/** The period and the grouping of the usage page, as its URL names them. Days are the API's, in UTC. */
import { clean, oneOf } from '../../search/parse.ts';

export const USAGE_RANGES = ['7d', '30d', '90d', 'month'] as const;
export type UsageRange = (typeof USAGE_RANGES)[number];

export const USAGE_GROUPS = ['provider', 'model', 'assistant'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export const parseUsageSearch = (raw: Record<string, unknown>) =>
  clean({ range: oneOf(raw, 'range', USAGE_RANGES), group: oneOf(raw, 'group', USAGE_GROUPS) });

export interface Period {
  /** First and last day, as ISO dates. */
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the days of the range, which ends today. */
export function periodOf(range: UsageRange, now: number): Period {
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
