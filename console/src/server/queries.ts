/** The cache of API responses. */
import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { unreachableSince, reportUnreachable } from './connection.ts';
import { toFailure } from './problem.ts';

/** The interval after which a call that the server could not answer is repeated, while a page needs it. */
const REPEAT_MS = 15_000;

type AnyQuery = Query<unknown, unknown>;

const timers = new WeakMap<AnyQuery, ReturnType<typeof setTimeout>>();

/** Calls that got no response are repeated after a successful ping. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      handleFailure(error);
      // A page that needs it later asks again.
      if (!query.isActive()) return queryClient.getQueryCache().remove(query);
      clearTimeout(timers.get(query));
      timers.set(
        query,
        setTimeout(() => repeat(query), REPEAT_MS),
      );
    },
  }),
  mutationCache: new MutationCache({ onError: handleFailure }),
  defaultOptions: {
    // A failed call is not repeated by each part of a page that needs it: a part that a failure hides would start it for ever.
    queries: { retry: false, retryOnMount: false, staleTime: 5_000, refetchOnWindowFocus: true },
    // Without a connection, a form says so at once.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Repeats a failed call that can succeed without a change, or forgets it if no page needs it any more. */
function repeat(query: AnyQuery): void {
  if (query.state.status !== 'error') return;
  const { status } = toFailure(query.state.error);
  if (!query.isActive()) queryClient.getQueryCache().remove(query);
  else if ((status === 429 || status >= 500) && canRefresh(query)) void query.fetch().catch(() => undefined);
}

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

/** Shown list pages are not refreshed, because their rows would move. */
const canRefresh = ({ queryKey, state }: Pick<AnyQuery, 'queryKey'> & { state: { data: unknown } }) =>
  queryKey[0] !== LIST_PAGES || state.data === undefined;

/** Refreshes all shown data. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries({ predicate: canRefresh });

unreachableSince.subscribe((since) => {
  if (since === undefined) void refreshAll();
});

/** Refreshes the responses of these operations, such as `getSession`. */
export function refresh(...operations: string[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operations.includes((queryKey[0] as { _id?: string } | undefined)?._id ?? ''),
  });
}
