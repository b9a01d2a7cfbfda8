/** The search of the review page that draws a random sample of conversations. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { countSessions } from 'conversation-analysis-client';
import { clean } from '../search/parse.ts';
import { loginOptions } from '../server/login.ts';
import { LIST_COUNT } from '../server/queries.ts';
import { toQuery, type ReviewSearch } from './search.ts';

/** The seeds of the API. */
const SEEDS = 1_000_000_000;

/** Every person has an own order, so two reviewers rarely open the same conversation. */
const seedOf = (userId: string) => [...userId].reduce((seed, char) => (seed * 31 + char.charCodeAt(0)) % SEEDS, 0);

/** @param assistant_id undefined for the conversations of all assistants. */
export function useReviewSample(assistant_id?: string): ReviewSearch {
  const { data: user } = useQuery(loginOptions);
  return clean({
    assistant_id,
    status: 'completed' as const,
    reanalysis: 'false' as const,
    review: 'unsampled' as const,
    sort: 'random' as const,
    seed: seedOf(user?.id ?? ''),
  });
}

/** Returns how many reviews of a random sample match; undefined while they are counted. */
export const useReviewCount = (search: ReviewSearch): number | undefined =>
  useQuery({ ...reviewCountOptions(search), placeholderData: keepPreviousData }).data;

export function reviewCountOptions({ seed: _, ...others }: ReviewSearch) {
  // Only originals have reviews. The list's `any` is no value of the API.
  const search: ReviewSearch = { ...others, reanalysis: 'false', review: 'sampled' };
  return queryOptions({
    queryKey: [LIST_COUNT, 'review', search],
    queryFn: async ({ signal }) =>
      (await countSessions({ query: toQuery(search), signal, throwOnError: true })).data.total,
  });
}
