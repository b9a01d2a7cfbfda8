/** A list with live updates. Rows change in place and never move. New rows are counted until the user shows them. */
import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { atMostEvery, useEvent, usePollInterval, type DeliveryEvent, type SessionEvent } from '../live/events.ts';
import { LIST_COUNT, queryClient } from '../server/queries.ts';
import { optionsOfList, type ListPage, type ListSearch, type ListSource } from './list-options.ts';

interface LiveList<Row> {
  idOf: (row: Row) => string;
  /** Returns the change that an event makes to a row; undefined if it concerns no row of this list. */
  changeOf: (event: SessionEvent | DeliveryEvent) => RowChange<Row> | undefined;
}

export interface RowChange<Row> {
  id: string;
  change: (row: Row) => Row;
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
