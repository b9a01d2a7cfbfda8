/** Requests the data of a page while its file loads and the login is checked. The page itself shows errors. */
import { listDeliveries, listSessions } from 'conversation-analysis-client';
import { getSessionOptions } from 'conversation-analysis-client/react-query';
import { eventSequence } from '../live/events.ts';
import { queryClient } from '../server/queries.ts';
import { toQuery, toSessionsQuery } from '../lists/search.ts';
import { optionsOfList, type ListSearch, type ListSource } from '../lists/list-options.ts';
import { requestOverview } from './overview/overview-data.ts';

/** A route, with the parameters that it has validated. */
interface Match {
  routeId: string;
  params: { sessionId?: string };
  search: object;
}

/** While events arrive, a list must follow them from its request on, so its page makes the request. */
const requestList = async <Row, Search extends ListSearch>(source: ListSource<Row, Search>) =>
  eventSequence() === undefined && queryClient.infiniteQuery(optionsOfList(source).pages);

const REQUESTS: Record<string, (match: Match) => Promise<unknown>> = {
  '/inside/': ({ search }) => requestOverview(search),
  '/inside/sessions': ({ search }) =>
    requestList({ name: 'sessions', search, toQuery: toSessionsQuery, list: listSessions }),
  '/inside/deliveries': ({ search }) =>
    requestList({ name: 'deliveries', search: { ...search }, toQuery, list: listDeliveries }),
  '/inside/sessions/$sessionId': ({ params: { sessionId: id = '' } }) =>
    queryClient.query({ ...getSessionOptions({ path: { id } }), staleTime: 'static' }),
};

export function requestData({ routeId, params, search }: Omit<Match, 'params'> & { params: object }): void {
  REQUESTS[routeId]?.({ routeId, params, search }).catch(() => undefined);
}
