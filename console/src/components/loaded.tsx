import type { ReactNode } from 'react';
import { Skeleton } from './page.tsx';
import { Problem } from './problem-note.tsx';

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** Number of placeholder lines until the first response. */
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query. The data stays on screen when a later request fails. */
export function Loaded<Data>({ query: { data, error, refetch }, lines = 3, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error == null ? <Skeleton lines={lines} /> : <Problem error={error} onRetry={() => void refetch()} />;
}

type Query<Data> = LoadedProps<Data>['query'];

/** Combines two queries. The data is undefined until both have returned. */
export function both<One, Two>(one: Query<One>, two: Query<Two>): Query<[One, Two]> {
  return {
    data: one.data === undefined || two.data === undefined ? undefined : [one.data, two.data],
    error: one.error ?? two.error,
    refetch: () => Promise.all([one.refetch(), two.refetch()]),
  };
}
