/** The queries of the overview. In the first load, because they start with the login check. */
import { countSessionsOptions, getStatsOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { serverNow } from '../../format/clock.ts';
import { statsOf, type OverviewRange } from '../../search/period.ts';
import { queryClient } from '../../server/queries.ts';

/** Requests what the overview waits for. */
export const requestOverview = ({ range = '7d' }: { range?: OverviewRange | undefined }): Promise<unknown> =>
  Promise.all([
    queryClient.query(getStatsOptions({ query: statsOf(range, serverNow()) })),
    queryClient.query(countSessionsOptions({ query: {} })),
    queryClient.query(listAssistantsOptions()),
  ]);
