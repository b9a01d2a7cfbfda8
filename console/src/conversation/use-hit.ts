import { useQuery } from '@tanstack/react-query';
import { listSessionsOptions } from 'conversation-analysis-client/react-query';
import type { SearchHit } from 'conversation-analysis-client';

/** Where a search matches the conversation. */
export interface Hit extends SearchHit {
  /** The words as the person typed them. */
  q: string;
}

/** Returns the hit of the search that led to a session; undefined without one, and until it is loaded. */
export function useHit(id: string, q: string | undefined): Hit | undefined {
  const { data } = useQuery({
    ...listSessionsOptions({ query: { session_id: [id], q: q ?? '', include: 'hit' } }),
    enabled: q !== undefined,
    select: ({ data: [session] }) => session?.hit,
    staleTime: Infinity,
  });
  return data && q !== undefined ? { ...data, q } : undefined;
}
