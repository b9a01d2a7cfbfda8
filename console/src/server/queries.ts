/** The cache of responses. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { awaySince, noteAway } from './connection.ts';
import { toFailure } from './problem.ts';

/** Calls without a response are repeated when a ping succeeds. Problems are not repeated. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
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

function noteFailure(error: unknown): void {
  const { status } = toFailure(error);
  if (status === 0) noteAway();
  if (status === 401) onUnauthorized();
}

/** First part of the query key of list pages. */
export const LIST_PAGES = 'list';

/** First part of the query key of the number of rows of a list. */
export const LIST_COUNT = 'list-count';

/** Reads all shown data again, except list pages: their rows would move. */
export function refreshAll(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== LIST_PAGES || state.data === undefined,
  });
}

awaySince.subscribe((since) => {
  if (since === undefined) void refreshAll();
});

/** Reads the responses of these operations again, such as `getSession`. */
export function refresh(...operations: string[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operations.includes((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
  });
}
