/**
 * A list that lives and never moves by itself: rows on screen change in place, and rows that are new are counted until
 * someone asks for them.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { markOfEvents, useEvent, usePollInterval } from '../../live/events.ts';
import type { DeliveryEvent, SessionEvent } from '../../live/events.ts';
import { LIST_PAGES, queryClient } from '../../server/queries.ts';

export interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

interface LiveList<Row> {
  name: string;
  /** The filters; every other choice of them is a list of its own. */
  search: object;
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>;
  idOf: (row: Row) => string;
  /** Returns what an event says of a row; undefined where it says nothing of a row of this list. */
  toldBy: (event: SessionEvent | DeliveryEvent) => Told<Row> | undefined;
}

/** Members of a row as they are now. */
export interface Told<Row> {
  id: string;
  now: Partial<Row>;
}

/** Events come in bursts; the head of the list is read once for all of them. */
const COALESCE_MS = 400;

export function useLiveList<Row>({ name, search, read, idOf, toldBy }: LiveList<Row>) {
  const pagesKey = useMemo(() => [LIST_PAGES, name, search], [name, search]);
  const headKey = useMemo(() => ['list-head', name, search], [name, search]);
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: async ({ pageParam, signal }) => {
      const before = markOfEvents();
      const page = await read(pageParam, signal);
      // What happens from here on is told. Otherwise something may have happened since, and the head is read once more.
      const isHead = pageParam === undefined && before !== undefined && before === markOfEvents();
      if (isHead) queryClient.setQueryData(headKey, page);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // The head below is what is read anew; pages would move.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const pollMs = usePollInterval(true);
  const head = useQuery({
    queryKey: headKey,
    queryFn: ({ signal }) => read(undefined, signal),
    // Not before the list itself is read: until then the rows of the former filters stand in its place.
    enabled: pages.isSuccess && !pages.isPlaceholderData,
    refetchInterval: pollMs,
  });
  useChanges({ headKey, pagesKey, idOf, toldBy });

  const fresh = useMemo(() => new Map(head.data?.data.map((row) => [idOf(row), row])), [head.data, idOf]);
  const rows = useMemo(() => loaded.map((row) => fresh.get(idOf(row)) ?? row), [loaded, fresh, idOf]);
  const known = useMemo(() => new Set(loaded.map(idOf)), [loaded, idOf]);
  const newCount = pages.isPlaceholderData ? 0 : (head.data?.data.filter((row) => !known.has(idOf(row))).length ?? 0);
  /** Nothing of the head is known: what is new goes on beyond it. */
  const hasMoreNew = newCount > 0 && newCount === head.data?.data.length && head.data.next_cursor !== null;

  /** Starts the list anew at its head. */
  const showNew = useCallback(() => {
    queryClient.setQueryData(pagesKey, { pages: [head.data], pageParams: [undefined] });
    scrollTo({ top: 0 });
  }, [pagesKey, head.data]);

  // Where nothing is shown, nothing can move.
  useEffect(() => {
    if (loaded.length === 0 && newCount > 0) showNew();
  }, [loaded.length, newCount, showNew]);

  return { pages, rows, newCount, hasMoreNew, showNew };
}

interface Changes<Row> extends Pick<LiveList<Row>, 'idOf' | 'toldBy'> {
  headKey: readonly unknown[];
  pagesKey: readonly unknown[];
}

/** Reads the head anew, and writes into the rows below it what events say of them: those are not read again. */
function useChanges<Row>({ headKey, pagesKey, idOf, toldBy }: Changes<Row>): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const told = useRef(new Map<string, Partial<Row>>());
  const note = useCallback(
    (event: SessionEvent | DeliveryEvent) => {
      const row = toldBy(event);
      if (row) told.current.set(row.id, row.now);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const changes = told.current;
        told.current = new Map();
        queryClient.setQueryData<InfiniteData<ListPage<Row>>>(pagesKey, (known) => amend(known, changes, idOf));
        void queryClient.invalidateQueries({ queryKey: headKey });
      }, COALESCE_MS);
    },
    [headKey, pagesKey, idOf, toldBy],
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [headKey],
  );
  useEvent('session', note);
  useEvent('delivery', note);
}

/** Returns the pages with what changed; rows of which nothing was said stay the same objects, and are not drawn anew. */
function amend<Row>(
  known: InfiniteData<ListPage<Row>> | undefined,
  changes: ReadonlyMap<string, Partial<Row>>,
  idOf: (row: Row) => string,
): InfiniteData<ListPage<Row>> | undefined {
  const rowNow = (row: Row) => {
    const now = changes.get(idOf(row));
    return now ? { ...row, ...now } : row;
  };
  return known && { ...known, pages: known.pages.map((page) => ({ ...page, data: page.data.map(rowNow) })) };
}
