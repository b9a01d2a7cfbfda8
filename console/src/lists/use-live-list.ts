/** A list with live updates. Rows change in place and never move. New rows are counted until the user shows them. */
import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { atMostEvery, useEvent, usePollInterval, type DeliveryEvent, type SessionEvent } from '../live/events.ts';
import { clean } from '../search/parse.ts';
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
  useMissedChanges(source, { headKey, pagesKey }, pages.isSuccess && !pages.isPlaceholderData);
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
type Pages<Row> = InfiniteData<ListPage<Row>>;

/** The key of what is read by ID. It is invalidated together with the head, unless that is invalidated alone. */
const rowsKeyOf = (headKey: readonly unknown[]) => [...headKey, 'rows'];

const ID_NAMES = { sessions: 'session_id', deliveries: 'delivery_id' };
/** Limit of IDs in a filter of the API. */
const MAX_IDS = 100;

/**
 * Reads the loaded rows again when changes may have been missed: after the stream opened, and at intervals while it is down.
 * A row that no longer exists stays, as deleted.
 */
function useMissedChanges<Row, Search extends ListSearch>(
  { name, search, list, idOf }: ListSource<Row, Search> & LiveList<Row>,
  { headKey, pagesKey }: Keys,
  enabled: boolean,
): void {
  useQuery({
    queryKey: rowsKeyOf(headKey),
    queryFn: async ({ signal }) => {
      // The rows of a page that is being loaded are not known yet.
      await queryClient
        .getQueryCache()
        .find({ queryKey: pagesKey })
        ?.promise?.catch(() => undefined);
      const loaded = new Set(queryClient.getQueryData<Pages<Row>>(pagesKey)?.pages.flatMap(({ data }) => data));
      const ids = [...loaded].map(idOf);
      const found: Row[] = [];
      for (let start = 0; start < ids.length; start += MAX_IDS) {
        // Without the filters: a changed row may no longer match them.
        const query = clean({
          [ID_NAMES[name]]: ids.slice(start, start + MAX_IDS),
          include: search['include'],
          limit: MAX_IDS,
        });
        found.push(...(await list({ query, signal, throwOnError: true })).data.data);
      }
      const rows = new Map(found.map((row) => [idOf(row), row]));
      const gone = { status: 'deleted', waiting_for: null, next_attempt_at: null };
      // A row that an event changed meanwhile can be newer than the response.
      changeRows<Row>(pagesKey, (row) => (loaded.has(row) ? (rows.get(idOf(row)) ?? { ...row, ...gone }) : row));
      return true;
    },
    enabled,
    initialData: true,
    staleTime: Infinity,
    refetchInterval: usePollInterval(),
  });
}

/** Applies events to the loaded rows and refreshes the head. */
function useChanges<Row>({ headKey, pagesKey, idOf, changeOf }: Keys & LiveList<Row>): void {
  const { note, cancel } = useMemo(() => {
    const pending: RowChange<Row>[] = [];
    const deletions: unknown[] = [];
    const changedIds: string[] = [];
    const [patch, cancelPatch] = atMostEvery(0, () => {
      const changes = Map.groupBy(pending.splice(0), ({ id }) => id);
      const changed = (row: Row) => (changes.get(idOf(row)) ?? []).reduce((before, { change }) => change(before), row);
      changeRows(pagesKey, changed);
      queryClient.setQueryData<ListPage<Row>>(headKey, (page) => page && { ...page, data: page.data.map(changed) });
    });
    const readHeadAndRows = async () => {
      const isDeletion = deletions.splice(0).length > 0;
      const touched = new Set(changedIds.splice(0));
      await queryClient.invalidateQueries({ queryKey: headKey, exact: true });
      const known = new Set(queryClient.getQueryData<ListPage<Row>>(headKey)?.data.map(idOf));
      const rows = queryClient.getQueryData<Pages<Row>>(pagesKey)?.pages.flatMap(({ data }) => data) ?? [];
      // The event has only a part of the change, and the filters may no longer match the row.
      const isBeyondHead = rows.map(idOf).some((id) => touched.has(id) && !known.has(id));
      // With a session, its deliveries are deleted without an event.
      if (isDeletion || isBeyondHead) await queryClient.invalidateQueries({ queryKey: rowsKeyOf(headKey) });
    };
    const [readHead, cancelHead] = atMostEvery(HEAD_MS, () => void readHeadAndRows());
    return {
      note: (event: SessionEvent | DeliveryEvent) => {
        const row = changeOf(event);
        if (row) {
          pending.push(row);
          changedIds.push(row.id);
        }
        if ((event.status as string) === 'deleted') deletions.push(event);
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

/** Changes the loaded rows. Unchanged rows stay the same objects and are not rendered again. */
const changeRows = <Row>(pagesKey: readonly unknown[], change: (row: Row) => Row) =>
  queryClient.setQueryData<Pages<Row>>(
    pagesKey,
    (known) => known && { ...known, pages: known.pages.map((page) => ({ ...page, data: page.data.map(change) })) },
  );
