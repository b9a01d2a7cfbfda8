/** The range of time that a list shows, as its URL names it. */
import { momentOf, oneOf } from '../../search/parse.ts';

export const RANGES = ['1h', '24h', '7d', '30d'] as const;
type RangeName = (typeof RANGES)[number];

const LENGTH_MS: Record<RangeName, number> = {
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
};

/** A named range ends now; a link may name its two moments instead. */
export interface RangeSearch {
  range?: RangeName | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

export const rangeOf = (raw: Record<string, unknown>): RangeSearch => ({
  range: oneOf(raw, 'range', RANGES),
  created_after: momentOf(raw, 'created_after'),
  created_before: momentOf(raw, 'created_before'),
});

const MINUTE_MS = 60_000;

/** Returns the filters for the API. The start is a whole minute, so that the same view is the same list for a while. */
export function toMoments({ range, created_after, created_before }: RangeSearch) {
  if (range === undefined) return { created_after, created_before };
  const start = Math.floor((Date.now() - LENGTH_MS[range]) / MINUTE_MS) * MINUTE_MS;
  return { created_after: new Date(start).toISOString(), created_before: undefined };
}
