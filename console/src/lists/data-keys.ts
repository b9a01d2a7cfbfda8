import { useQuery } from '@tanstack/react-query';
import { countSessionsOptions } from 'conversation-analysis-client/react-query';
import type { SessionCount } from 'conversation-analysis-client';
import { isShown } from '../format/metadata.ts';

/** The key of the data that names the agent of a call. */
export const AGENT = 'agent';

/** Returns the keys of the metadata: the agent, then the most used ones. Empty until loaded. */
export function useDataKeys(): { keys: readonly string[]; isPending: boolean } {
  const { data: keys = NONE, isPending } = useQuery({
    ...countSessionsOptions({ query: { group_by: 'metadata' } }),
    staleTime: 60_000,
    select: sortKeys,
  });
  return { keys, isPending };
}

const NONE: readonly string[] = [];

const sortKeys = ({ groups = [] }: SessionCount) =>
  groups
    .flatMap(({ value }) => value ?? [])
    .filter(isShown)
    .sort((a, b) => Number(b === AGENT) - Number(a === AGENT));
