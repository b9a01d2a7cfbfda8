import { useQuery } from '@tanstack/react-query';
import { countSessionsOptions } from 'conversation-analysis-client/react-query';
import type { SessionCount } from 'conversation-analysis-client';
import { isShown } from '../format/metadata.ts';

/** The key of the data that names the agent of a call. */
const AGENT = 'agent';

const NONE: string[] = [];

/** Returns the keys of the metadata: the agent, then the most used ones; empty until loaded. */
export function useDataKeys(): string[] {
  const { data = NONE } = useQuery({
    ...countSessionsOptions({ query: { group_by: 'metadata' } }),
    staleTime: 60_000,
    select: sortKeys,
  });
  return data;
}

const sortKeys = ({ groups = [] }: SessionCount) =>
  groups
    .flatMap(({ value }) => value ?? [])
    .filter(isShown)
    .sort((a, b) => Number(b === AGENT) - Number(a === AGENT));
