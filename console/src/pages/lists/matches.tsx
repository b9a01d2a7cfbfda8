import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Count } from 'conversation-analysis-client';
import { LIST_COUNT } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

interface MatchesProps {
  name: 'sessions' | 'deliveries';
  query: Record<string, unknown>;
  count: (query: Record<string, unknown>, signal: AbortSignal) => Promise<Count>;
}

/** The number of rows that match the filters. */
export function Matches({ name, query, count }: MatchesProps) {
  const { data } = useQuery({
    queryKey: [LIST_COUNT, name, query],
    queryFn: ({ signal }) => count(query, signal),
    placeholderData: keepPreviousData,
  });
  return <span role="status">{data && texts.lists.counts[name](data.total, data.has_more)}</span>;
}
