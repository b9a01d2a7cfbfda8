import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reanalyzeSession, type ReanalysisEstimate, type ReanalysisInput } from 'conversation-analysis-client';
import { Money } from '../components/values.tsx';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';

const words = texts.session.reanalyze;

interface ReanalysisCostProps {
  sessionId: string;
  /** The request body of the reanalysis. */
  input: ReanalysisInput;
}

/** The estimated cost of a reanalysis. */
export function ReanalysisCost({ sessionId, input }: ReanalysisCostProps) {
  const { data, error } = useQuery({
    queryKey: ['reanalysis-cost', sessionId, input],
    queryFn: async ({ signal }) => {
      const body = { ...input, dry_run: true };
      const { data } = await reanalyzeSession({ path: { id: sessionId }, body, signal, throwOnError: true });
      return data as ReanalysisEstimate;
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  if (!data || error || data.max_cost_usd === null || data.expected_cost_usd === null)
    return <p role="status">{error ? toFailure(error).detail : data ? words.priceUnknown : texts.common.loading}</p>;
  return (
    <p role="status">
      {words.expected} <Money usd={data.expected_cost_usd} /> · {words.atMost} <Money usd={data.max_cost_usd} />
    </p>
  );
}
