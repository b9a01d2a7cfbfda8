/** The queries of the overview. In the first load, because they start with the login check. */
import { countSessionsOptions, getStatsOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { HOUR_MS, MINUTE_MS, serverNow } from '../../format/clock.ts';
import { zoneName } from '../../format/times.ts';
import type { OverviewRange } from '../../search/period.ts';
import { queryClient } from '../../server/queries.ts';

const HOURS: Record<OverviewRange, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/** Returns how often the period moves. */
export const stepOf = (range: OverviewRange) => (range === '24h' ? MINUTE_MS : HOUR_MS);

/** Returns the periods of the figures and of the comparison. */
export function periodsOf(range: OverviewRange, now: number) {
  const timeBefore = (periods: number) => new Date(now - periods * HOURS[range] * HOUR_MS).toISOString();
  const from = timeBefore(1);
  return {
    current: { from, interval: range === '24h' ? 'hour' : 'day', timezone: zoneName() },
    previous: { from: timeBefore(2), to: from, interval: 'day' },
  } as const;
}

/** Requests what the overview waits for. */
export function requestOverview({ range = '24h' }: { range?: OverviewRange | undefined }): Promise<unknown> {
  const now = Math.floor(serverNow() / stepOf(range)) * stepOf(range);
  return Promise.all([
    queryClient.query(getStatsOptions({ query: periodsOf(range, now).current })),
    queryClient.query(countSessionsOptions({ query: {} })),
    queryClient.query(listAssistantsOptions()),
  ]);
}
