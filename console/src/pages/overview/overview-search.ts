/** The time that the overview looks back on, as its URL names it. */
import { clean, oneOf } from '../../search/parse.ts';

export const OVERVIEW_RANGES = ['24h', '7d', '30d'] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];

export const parseOverviewSearch = (raw: Record<string, unknown>) =>
  clean({ range: oneOf(raw, 'range', OVERVIEW_RANGES) });

const HOUR_MS = 3_600_000;
const HOURS: Record<OverviewRange, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };
const MINUTE_MS = 60_000;

/** Returns the start of the range, a whole minute: the same view is the same call for a while. */
export const startOf = (range: OverviewRange, now: number) =>
  new Date(Math.floor((now - HOURS[range] * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
