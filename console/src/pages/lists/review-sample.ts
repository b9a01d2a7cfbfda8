/** The search of the review page that draws a random sample of an assistant's conversations. */
import { useQuery } from '@tanstack/react-query';
import { loginOptions } from '../../server/login.ts';
import type { ReviewSearch } from './search.ts';

/** The seeds of the API. */
const SEEDS = 1_000_000_000;

/** Every person has an own order, so two reviewers rarely open the same conversation. */
const seedOf = (userId: string) => [...userId].reduce((seed, char) => (seed * 31 + char.charCodeAt(0)) % SEEDS, 0);

export function useReviewSample(assistant_id: string): ReviewSearch {
  const { data: user } = useQuery(loginOptions);
  return {
    assistant_id,
    status: 'completed',
    reanalysis: 'false',
    review: 'unsampled',
    sort: 'random',
    seed: seedOf(user?.id ?? ''),
  };
}
