import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reanalyzeSession, type ReanalysisEstimate, type ReanalysisInput } from 'conversation-analysis-client';
import { Money } from '../components/values.tsx';
import { formatNumber } from '../format/numbers.ts';
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
  return <p role="status">{error ? toFailure(error).detail : data ? <Cost estimate={data} /> : words.estimating}</p>;
}

function Cost({ estimate: { expected_cost_usd, expected_usage, max_cost_usd } }: { estimate: ReanalysisEstimate }) {
  if (max_cost_usd === null) return words.priceUnknown;
  return (
    <>
      {expected_cost_usd !== null && expected_usage && (
        <>
          {words.expected} <Money usd={expected_cost_usd} /> (
          {words.tokens(formatNumber(expected_usage.input_tokens), formatNumber(expected_usage.output_tokens))}),{' '}
        </>
      )}
      {texts.batches.atMost} <Money usd={max_cost_usd} />
    </>
  );
}
