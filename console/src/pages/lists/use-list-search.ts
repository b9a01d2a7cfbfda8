/** The filters of a list as its URL holds them, and the way to one of its rows. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { parsePairs } from './metadata-pairs.ts';
import { toMoments } from './range.ts';
import type { RangeSearch } from './range.ts';

export type ListName = 'sessions' | 'deliveries';

/** Filters that another one, of this name, takes along. */
const TAKEN_ALONG: Record<string, object> = {
  range: { created_after: undefined, created_before: undefined },
  assistant_id: { assistant_version: undefined, field: undefined },
};

/** Returns what sets one filter and leaves the others, but for those that mean nothing without the former value. */
export function useFilterChange<S extends RangeSearch>(
  to: `/${ListName}`,
  search: S,
  parse: (raw: Record<string, unknown>) => S,
): (name: string, value: string | readonly string[] | undefined) => void {
  const navigate = useNavigate();
  return useCallback(
    (name, value) => {
      const changed = { ...(search as object), ...TAKEN_ALONG[name], [name]: value };
      // What is typed is one step back, however many letters it has.
      void navigate({ to, search: parse(changed), replace: name === 'q' });
    },
    [navigate, to, search, parse],
  );
}

/** Returns what opens a row by its id, here or in a tab of its own. */
export function useOpenRow(list: ListName): (id: string, inNewTab: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (id, inNewTab) => {
      if (inNewTab) window.open(`/console/${list}/${id}`, '_blank', 'noopener');
      else if (list === 'sessions') void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } });
      else void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: id } });
    },
    [navigate, list],
  );
}

/** Returns the query for the API: the named range becomes moments, each pair of metadata a parameter, and what is not set is left out. */
export function toQuery({
  range,
  created_after,
  created_before,
  metadata,
  ...filter
}: RangeSearch & { metadata?: string | undefined } & Record<string, unknown>) {
  const moments = toMoments({ range, created_after, created_before });
  const pairs = parsePairs(metadata ?? '').map(([key, value]) => [`metadata.${key}`, value] as const);
  return Object.fromEntries(
    Object.entries({ ...filter, ...Object.fromEntries(pairs), ...moments }).filter(([, value]) => value !== undefined),
  );
}
