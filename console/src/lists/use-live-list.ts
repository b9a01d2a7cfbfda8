/** A list with live updates. Its rows never move. New rows are counted until the user shows them. */
import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { atMostEvery, useEvent, usePollInterval } from '../live/events.ts';
import { clean } from '../search/parse.ts';
import { LIST_COUNT, queryClient } from '../server/queries.ts';
import { optionsOfList, type ListPage, type ListSearch, type ListSource } from './list-options.ts';

/** Shortest time between two refreshes after events. */
const REFRESH_MS = 3_000;

export function useLiveList<Row, Search extends ListSearch>(
  source: ListSource<Row, Search> & { idOf: (row: Row) => string },
) {
  const { name, search, toQuery, list, idOf } = source;
  const options = useMemo(() => optionsOfList({ name, search, toQuery, list }), [name, search, toQuery, list]);
  const pagesKey = options.pages.queryKey;
  const headKey = options.head.queryKey;
  const pages = useInfiniteQuery({
    ...options.pages,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const { data: head } = useQuery({
    queryKey: headKey,
    queryFn: async ({ signal }) => {
      const page = await options.readHead(signal);
      // The rows of a page that is being loaded are not known yet.
      await queryClient
        .getQueryCache()
        .find({ queryKey: pagesKey })
        ?.promise?.catch(() => undefined);
      const inHead = new Set(page.data.map(idOf));
      const shown = queryClient.getQueryData<InfiniteData<ListPage<Row>>>(pagesKey)?.pages.flatMap(({ data }) => data);
      const others = (shown ?? []).filter((row) => !inHead.has(idOf(row)));
      return { ...page, others: await readAgain({ source, rows: others, signal }) };
    },
    // Until the list is loaded, the rows of the previous filters are shown.
    enabled: pages.isSuccess && !pages.isPlaceholderData,
    refetchInterval: usePollInterval(),
  });
  useRefreshOnEvents(headKey);

  const fresh = useMemo(
    () => new Map([...(head?.others ?? []), ...(head?.data ?? [])].map((row) => [idOf(row), row])),
    [head, idOf],
  );
  const rows = useMemo(() => loaded.map((row) => fresh.get(idOf(row)) ?? row), [loaded, fresh, idOf]);
  const known = useMemo(() => new Set(loaded.map(idOf)), [loaded, idOf]);
  const newCount = pages.isPlaceholderData ? 0 : (head?.data.filter((row) => !known.has(idOf(row))).length ?? 0);
  // If all rows of the head are new, there are probably more new rows.
  const hasMoreNew = newCount > 0 && newCount === head?.data.length && head.next_cursor !== null;

  /** Restarts the list at its head. */
  const showNew = useCallback(() => {
    queryClient.setQueryData(pagesKey, head && { pages: [head], pageParams: [undefined] });
    void queryClient.invalidateQueries({ queryKey: [LIST_COUNT, name] });
    scrollTo({ top: 0 });
  }, [pagesKey, name, head]);

  // In an empty list, new rows appear immediately: nothing can move.
  useEffect(() => {
    if (loaded.length === 0 && newCount > 0) showNew();
  }, [loaded.length, newCount, showNew]);

  return { pages, rows, newCount, hasMoreNew, showNew };
}

const ID_NAMES = { sessions: 'session_id', deliveries: 'delivery_id' };
/** Limit of IDs in a filter of the API. */
const MAX_IDS = 100;

interface ReadAgain<Row, Search extends ListSearch> {
  source: ListSource<Row, Search> & { idOf: (row: Row) => string };
  rows: readonly Row[];
  signal: AbortSignal;
}

/** Returns the current state of the rows. A row that no longer exists stays, as deleted. */
async function readAgain<Row, Search extends ListSearch>({ source, rows, signal }: ReadAgain<Row, Search>) {
  const { name, search, list, idOf } = source;
  const found = new Map<string, Row>();
  for (let start = 0; start < rows.length; start += MAX_IDS) {
    // Without the filters: a changed row may no longer match them.
    const ids = rows.slice(start, start + MAX_IDS).map(idOf);
    const query = clean({ [ID_NAMES[name]]: ids, include: search['include'], limit: MAX_IDS });
    for (const row of (await list({ query, signal, throwOnError: true })).data.data) found.set(idOf(row), row);
  }
  const gone = { status: 'deleted', waiting_for: null, next_attempt_at: null };
  // Only the head has hits of the search.
  return rows.map((row) => ({ ...row, ...(found.get(idOf(row)) ?? gone) }));
}

/** Reads the shown rows again after events, at most once per interval. */
function useRefreshOnEvents(headKey: readonly unknown[]): void {
  const [refresh, cancel] = useMemo(
    () => atMostEvery(REFRESH_MS, () => void queryClient.invalidateQueries({ queryKey: headKey })),
    [headKey],
  );
  useEffect(() => cancel, [cancel]);
  useEvent('session', refresh);
  useEvent('delivery', refresh);
}
