/** The requests of a list. Part of the first load, because they start with the login check. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { eventSequence } from '../live/events.ts';
import { clean } from '../search/parse.ts';
import { LIST_PAGES, queryClient } from '../server/queries.ts';

export interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
  /** In the head of a list: the shown rows that it does not contain. */
  others?: Row[];
}

const PAGE_ROWS = 50;

/** The order of a list without another one: sessions by the time of their conversations. */
export const NEWEST_FIRST = { sessions: '-occurred_at', deliveries: '-created_at' } as const;

type Query = Record<string, unknown>;
/** A function of the API client. */
export type Operation<Data> = (call: {
  query: Query;
  signal: AbortSignal;
  throwOnError: true;
}) => Promise<{ data: Data }>;
export type ListSearch = Query & {
  q?: string | undefined;
  sort?: string | undefined;
  columns?: readonly string[] | undefined;
};

export interface ListSource<Row, Search extends ListSearch> {
  name: 'sessions' | 'deliveries';
  /** The filters. Each combination is a separate list. */
  search: Search;
  toQuery: (search: Search) => Query;
  /** The API operation that returns a page of rows. */
  list: Operation<ListPage<Row>>;
}

/** Returns the queries of a list: its pages, and its head, which is refreshed. */
export function optionsOfList<Row, Search extends ListSearch>(source: ListSource<Row, Search>) {
  const { name, search, toQuery, list } = source;
  // A change of columns must not load the list again.
  const listed = { ...search, columns: undefined };
  const read = async (cursor: string | undefined, signal: AbortSignal) => {
    const query = {
      ...toQuery(search),
      ...clean({ sort: search.sort ?? NEWEST_FIRST[name], cursor }),
      limit: PAGE_ROWS,
    };
    return (await list({ query, signal, throwOnError: true })).data;
  };
  const head = queryOptions<ListPage<Row>>({ queryKey: ['list-head', name, listed] });
  const pages = infiniteQueryOptions({
    queryKey: [LIST_PAGES, name, listed],
    queryFn: async ({ pageParam, signal }) => {
      const before = eventSequence();
      const page = await read(pageParam, signal);
      // The first page also serves as the head.
      if (pageParam === undefined) queryClient.setQueryData(head.queryKey, page);
      // The event can concern a row of the page.
      if (before !== eventSequence()) void queryClient.invalidateQueries({ queryKey: head.queryKey });
      return page;
    },
    initialPageParam: undefined as string | undefined,
    // A list in ascending order has a cursor on its last page too.
    getNextPageParam: ({ data, next_cursor }) => (data.length < PAGE_ROWS ? undefined : (next_cursor ?? undefined)),
    // Only the head is refreshed. If the pages were, their rows would move.
    staleTime: Infinity,
  });
  return { head, pages, readHead: (signal: AbortSignal) => read(undefined, signal) };
}
