/** The order in which a person reviews the conversations of a list. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listSessions } from 'conversation-analysis-client';
import { loginOptions } from '../../server/login.ts';
import { LIST_PAGES } from '../../server/queries.ts';

/** `taken`: somebody else reviewed it first. `gone`: it was deleted. */
export type Outcome = 'saved' | 'skipped' | 'taken' | 'gone';

interface Step {
  id: string;
  outcome: Outcome;
}

const PAGE_ROWS = 20;

/**
 * Returns the conversation after these steps. A skipped one is offered again after the loaded ones, because the sample
 * would be biased without it. After a second time, only at the end of the list.
 */
function findNext(ids: readonly string[], steps: readonly Step[], hasMore: boolean): string | undefined {
  const skips = new Map<string, number>();
  for (const { id, outcome } of steps) skips.set(id, outcome === 'skipped' ? (skips.get(id) ?? 0) + 1 : Infinity);
  const ranked = ids.map((id) => [id, skips.get(id) ?? 0] as const).filter(([, times]) => times < Infinity);
  const least = Math.min(...ranked.map(([, times]) => times));
  return hasMore && least > 1 ? undefined : ranked.find(([, times]) => times === least)?.[0];
}

/**
 * @param query the filters and the order of `GET /v1/sessions`. It must not change.
 * @param isOthers leaves out what the person reviewed.
 */
export function useWalk(query: Record<string, unknown>, isOthers = false) {
  const { data: user } = useQuery(loginOptions);
  const pages = useInfiniteQuery({
    queryKey: [LIST_PAGES, 'review', query],
    queryFn: async ({ pageParam, signal }) => {
      const call = { query: { ...query, limit: PAGE_ROWS, ...(pageParam && { cursor: pageParam }) }, signal };
      return (await listSessions({ ...call, throwOnError: true })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // Reviewed conversations leave the list. Reading it again would change the order.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [at, setAt] = useState(0);
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  const listed = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const ids = listed
    .filter(({ review }) => !isOthers || review?.reviewed_by !== user?.id)
    .map(({ session_id }) => session_id);
  const step = steps[at];
  const id = step?.id ?? findNext(ids, steps, hasNextPage);
  const next =
    id === undefined || at + 1 < steps.length
      ? steps[at + 1]?.id
      : findNext(ids, [...steps.slice(0, at), { id, outcome: 'saved' }], hasNextPage);
  const isShort = next === undefined && at >= steps.length - 1;
  useEffect(() => {
    if (isShort && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isShort, hasNextPage, isFetching, isError, fetchNextPage]);
  return {
    pages,
    id,
    /** The conversation after this one, which the page loads ahead. */
    next,
    /** What the person did with the conversation before; undefined: it is new. */
    outcome: step?.outcome,
    isSkipped: step === undefined && steps.some((each) => each.id === id),
    end: (outcome: Outcome) => {
      if (id === undefined) return;
      setSteps([...steps.slice(0, at), { id, outcome }, ...steps.slice(at + 1)]);
      setAt(at + 1);
    },
    back: at === 0 ? undefined : () => setAt(at - 1),
  };
}
