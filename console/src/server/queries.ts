/** The cache of API responses. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { unreachableSince, reportUnreachable } from './connection.ts';
import { toFailure } from './problem.ts';

/** Calls that got no response are repeated after a successful ping. Calls that returned a problem are not repeated. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleFailure }),
  mutationCache: new MutationCache({ onError: handleFailure }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

let onUnauthorized = () => undefined as void;

/** Registers a callback that runs when a call returns 401. */
export function whenLoginEnds(callback: () => void): void {
  onUnauthorized = callback;
}

function handleFailure(error: unknown): void {
  const { status } = toFailure(error);
  if (status === 0) reportUnreachable();
  if (status === 401) onUnauthorized();
}

/** First part of the query key of list pages. */
export const LIST_PAGES = 'list';

/** First part of the query key of the number of rows of a list. */
export const LIST_COUNT = 'list-count';

/** Refreshes all shown data, except list pages, because their rows would move. */
export function refreshAll(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== LIST_PAGES || state.data === undefined,
  });
}

unreachableSince.subscribe((since) => {
  if (since === undefined) void refreshAll();
});

/** Refreshes the responses of these operations, such as `getSession`. */
export function refresh(...operations: string[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operations.includes((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
  });
}
