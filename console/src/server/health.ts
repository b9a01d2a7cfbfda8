/** Whether the service would serve a request to its end: `GET /readyz`, which is outside the API's contract. */
import { queryOptions } from '@tanstack/react-query';

const CHECK_MS = 10_000;

interface Readiness {
  /** What is missing, by name; empty when ready. */
  problems: string[];
}

export const readinessOptions = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }): Promise<Readiness> => {
    const answer = await fetch('/readyz', { signal, cache: 'no-store' });
    const { problems = [] } = (await answer.json()) as Partial<Readiness>;
    return { problems };
  },
  refetchInterval: CHECK_MS,
});
