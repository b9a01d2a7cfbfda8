/**
 * A list that lives and never moves by itself: rows on screen change in place, and rows that are new are counted until
 * someone asks for them.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useEvent, usePollInterval } from '../../live/events.ts';
import { queryClient } from '../../server/queries.ts';
import { usePreferences } from '../../shell/preferences.ts';

export interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

interface LiveList<Row> {
  /** Of the query cache; holds the filters, so that each filter is a list of its own. */
  key: readonly unknown[];
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>;
  idOf: (row: Row) => string;
  isUnfinished: (row: Row) => boolean;
}

/** Events come in bursts; the head of the list is read once for all of them. */
const COALESCE_MS = 400;

export function useLiveList<Row>({ key, read, idOf, isUnfinished }: LiveList<Row>) {
  const pagesKey = useMemo(() => ['list', ...key], [key]);
  const headKey = ['list-head', ...key];
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
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
  useHeadRefresh(headKey);

  const fresh = useMemo(() => new Map(head.data?.data.map((row) => [idOf(row), row])), [head.data, idOf]);
  const rows = useMemo(() => loaded.map((row) => fresh.get(idOf(row)) ?? row), [loaded, fresh, idOf]);
  const known = useMemo(() => new Set(loaded.map(idOf)), [loaded, idOf]);
  const newCount = pages.isPlaceholderData ? 0 : (head.data?.data.filter((row) => !known.has(idOf(row))).length ?? 0);

  /** Starts the list anew at its head. */
  const showNew = useCallback(() => {
    queryClient.setQueryData(pagesKey, { pages: [head.data], pageParams: [undefined] });
    scrollTo({ top: 0 });
  }, [pagesKey, head.data]);

  // Where nothing is shown, nothing can move.
  useEffect(() => {
    if (loaded.length === 0 && newCount > 0) showNew();
  }, [loaded.length, newCount, showNew]);

  return { pages, rows, newCount, showNew, hasUnfinished: rows.some(isUnfinished) };
}

function useHeadRefresh(headKey: readonly unknown[]): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(headKey);
  useEffect(() => {
    latest.current = headKey;
  });
  const refreshSoon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: latest.current });
    }, COALESCE_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvent('session', refreshSoon);
  useEvent('delivery', refreshSoon);
}

/** Returns the row that the keyboard is at, and moves it with j and k; Enter opens it. */
export function useRowKeys(ids: readonly string[], open: (id: string, inNewTab: boolean) => void) {
  const [current, setCurrent] = useState<string>();
  const { shortcuts } = usePreferences();
  useEffect(() => {
    if (!shortcuts) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const index = current === undefined ? -1 : ids.indexOf(current);
      if (event.key === 'j' || event.key === 'k') {
        const next = ids[Math.min(ids.length - 1, Math.max(0, index + (event.key === 'j' ? 1 : -1)))];
        setCurrent(next);
        document.querySelector(`[data-row="${CSS.escape(next ?? '')}"]`)?.scrollIntoView({ block: 'nearest' });
      } else if (current !== undefined && (event.key === 'Enter' || event.key === 'o'))
        open(current, event.key === 'o');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ids, current, open, shortcuts]);
  return current;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('a, button, input, select, textarea, [contenteditable]') !== null
  );
}
