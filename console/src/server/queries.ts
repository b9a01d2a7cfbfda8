/** How answers are kept and read anew. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noteAway, onApiReturn } from './connection.ts';
import { toFailure } from './problem.ts';

/** Calls without an answer are tried again by the connection's own pings; problems are answers. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

let onUnauthorized = () => undefined as void;

/**
 * Listens for the end of the login.
 * @param callback is run when a call finds that the login has ended.
 */
export function whenLoginEnds(callback: () => void): void {
  onUnauthorized = callback;
}

function noteFailure(error: unknown): void {
  const { kind, status } = toFailure(error);
  if (kind === 'away') noteAway();
  if (status === 401) onUnauthorized();
}

/** Begins the key of the pages of a list. */
export const LIST_PAGES = 'list';

/** Reads anew all that is shown. Pages of lists stay, since their rows would move: their heads tell what is new. */
export function refreshAll(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== LIST_PAGES || state.data === undefined,
  });
}

onApiReturn(() => void refreshAll());

/** Reads anew everything that the named operations answered, for instance `getSession`. */
export function refresh(...operations: string[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operations.includes((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
  });
}
