/** The queries of the overview. In the first load, because they start with the login check. */
import { countSessionsOptions, getStatsOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { HOUR_MS, serverNow } from '../../format/clock.ts';
import { zoneName } from '../../format/times.ts';
import type { OverviewRange } from '../../search/period.ts';
import { queryClient } from '../../server/queries.ts';

/** Returns the statistics of the period before a moment, by day. */
export const statsOf = (range: OverviewRange, now: number) => {
  const from = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - Number.parseInt(range) * 24 * HOUR_MS).toISOString();
  return { from, interval: 'day', timezone: zoneName(), group_by: 'assistant' } as const;
};

/** Requests what the overview waits for. */
export const requestOverview = ({ range = '7d' }: { range?: OverviewRange | undefined }): Promise<unknown> =>
  Promise.all([
    queryClient.query(getStatsOptions({ query: statsOf(range, serverNow()) })),
    queryClient.query(countSessionsOptions({ query: {} })),
    queryClient.query(listAssistantsOptions()),
  ]);
