/** A list with live updates. Rows change in place and never move. New rows are counted until the user shows them. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import {
  atMostEvery,
  eventSequence,
  useEvent,
  usePollInterval,
  type DeliveryEvent,
  type SessionEvent,
} from '../../live/events.ts';
import { clean } from '../../search/parse.ts';
import { LIST_COUNT, LIST_PAGES, queryClient } from '../../server/queries.ts';

interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

const PAGE_ROWS = 50;

type Query = Record<string, unknown>;
/** A function of the API client. */
export type Operation<Data> = (call: {
  query: Query;
  signal: AbortSignal;
  throwOnError: true;
}) => Promise<{ data: Data }>;
export type ListSearch = Query & { sort?: string | undefined; columns?: readonly string[] | undefined };

export interface ListSource<Row, Search extends ListSearch> {
  name: 'sessions' | 'deliveries';
  /** The filters. Each combination is a separate list. */
  search: Search;
  toQuery: (search: Search) => Query;
  /** The API operation that returns a page of rows. */
  list: Operation<ListPage<Row>>;
}

interface LiveList<Row> {
  idOf: (row: Row) => string;
  /** Returns the change that an event makes to a row; undefined if it concerns no row of this list. */
  changeOf: (event: SessionEvent | DeliveryEvent) => RowChange<Row> | undefined;
}

export interface RowChange<Row> {
  id: string;
  change: (row: Row) => Row;
}

/** Returns the queries of a list: its pages, and its head, which is refreshed. */
export function optionsOfList<Row, Search extends ListSearch>({
  name,
  search,
  toQuery,
  list,
}: ListSource<Row, Search>) {
  // A change of columns must not load the list again.
  const listed = { ...search, columns: undefined };
  const read = async (cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...toQuery(search), ...clean({ sort: search.sort, cursor }), limit: PAGE_ROWS };
    return (await list({ query, signal, throwOnError: true })).data;
  };
  const head = queryOptions({
    queryKey: ['list-head', name, listed],
    queryFn: ({ signal }) => read(undefined, signal),
  });
  const pages = infiniteQueryOptions({
    queryKey: [LIST_PAGES, name, listed],
    queryFn: async ({ pageParam, signal }) => {
      const before = eventSequence();
      const page = await read(pageParam, signal);
      if (pageParam !== undefined) return page;
      // The page also serves as the head, which is requested again if an event arrived during the request.
      queryClient.setQueryData(head.queryKey, page);
      if (before !== eventSequence()) void queryClient.invalidateQueries({ queryKey: head.queryKey });
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // Only the head is refreshed. If the pages were, their rows would move.
    staleTime: Infinity,
  });
  return { head, pages };
}

/** Shortest time between two requests for the head of a list. Known rows change without a request. */
const HEAD_MS = 3_000;

export function useLiveList<Row, Search extends ListSearch>(source: ListSource<Row, Search> & LiveList<Row>) {
  const { name, search, toQuery, list, idOf, changeOf } = source;
  const options = useMemo(() => optionsOfList({ name, search, toQuery, list }), [name, search, toQuery, list]);
  const pagesKey = options.pages.queryKey;
  const headKey = options.head.queryKey;
  const pages = useInfiniteQuery({
    ...options.pages,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const head = useQuery({
    ...options.head,
    // Until the list is loaded, the rows of the previous filters are shown.
    enabled: pages.isSuccess && !pages.isPlaceholderData,
    refetchInterval: usePollInterval(),
  });
  useChanges({ headKey, pagesKey, idOf, changeOf });

  const fresh = useMemo(() => new Map(head.data?.data.map((row) => [idOf(row), row])), [head.data, idOf]);
  const rows = useMemo(() => loaded.map((row) => fresh.get(idOf(row)) ?? row), [loaded, fresh, idOf]);
  const known = useMemo(() => new Set(loaded.map(idOf)), [loaded, idOf]);
  const newCount = pages.isPlaceholderData ? 0 : (head.data?.data.filter((row) => !known.has(idOf(row))).length ?? 0);
  // If all rows of the head are new, there are probably more new rows.
  const hasMoreNew = newCount > 0 && newCount === head.data?.data.length && head.data.next_cursor !== null;

  /** Restarts the list at its head. */
  const showNew = useCallback(() => {
    queryClient.setQueryData(pagesKey, head.data && { pages: [head.data], pageParams: [undefined] });
    void queryClient.invalidateQueries({ queryKey: [LIST_COUNT, name] });
    scrollTo({ top: 0 });
  }, [pagesKey, name, head.data]);

  // In an empty list, new rows appear immediately: nothing can move.
  useEffect(() => {
    if (loaded.length === 0 && newCount > 0) showNew();
  }, [loaded.length, newCount, showNew]);

  return { pages, rows, newCount, hasMoreNew, showNew };
}

type Keys = Record<'headKey' | 'pagesKey', readonly unknown[]>;

/** Applies events to the loaded rows and refreshes the head. */
function useChanges<Row>({ headKey, pagesKey, idOf, changeOf }: Keys & LiveList<Row>): void {
  const { note, cancel } = useMemo(() => {
    const pending: RowChange<Row>[] = [];
    const [patch, cancelPatch] = atMostEvery(0, () => {
      const changes = Map.groupBy(pending.splice(0), ({ id }) => id);
      queryClient.setQueryData<InfiniteData<ListPage<Row>>>(
        pagesKey,
        (known) => known && { ...known, pages: known.pages.map((page) => applyChanges(page, changes, idOf)) },
      );
      queryClient.setQueryData<ListPage<Row>>(headKey, (page) => page && applyChanges(page, changes, idOf));
    });
    const [readHead, cancelHead] = atMostEvery(
      HEAD_MS,
      () => void queryClient.invalidateQueries({ queryKey: headKey }),
    );
    return {
      note: (event: SessionEvent | DeliveryEvent) => {
        const row = changeOf(event);
        if (row) pending.push(row);
        patch();
        readHead();
      },
      cancel: () => {
        cancelPatch();
        cancelHead();
      },
    };
  }, [headKey, pagesKey, idOf, changeOf]);
  useEffect(() => cancel, [cancel]);
  useEvent('session', note);
  useEvent('delivery', note);
}

/** Returns the page with the changes. Unchanged rows stay the same objects and are not rendered again. */
function applyChanges<Row>(
  page: ListPage<Row>,
  changes: ReadonlyMap<string, readonly RowChange<Row>[]>,
  idOf: (row: Row) => string,
): ListPage<Row> {
  const changed = (row: Row) => (changes.get(idOf(row)) ?? []).reduce((before, { change }) => change(before), row);
  return { ...page, data: page.data.map(changed) };
}
