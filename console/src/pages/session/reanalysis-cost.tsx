import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reanalyzeSession } from '../../../../clients/typescript/src/index.ts';
import type { ReanalysisEstimate, ReanalysisInput } from '../../../../clients/typescript/src/index.ts';
import { Money } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const words = texts.session.reanalyze;

interface ReanalysisCostProps {
  sessionId: string;
  /** What would be sent. */
  input: ReanalysisInput;
}

/** What the reanalysis would cost, before anything is paid. */
export function ReanalysisCost({ sessionId, input }: ReanalysisCostProps) {
  const { data, error } = useQuery({
    queryKey: ['reanalysis-cost', sessionId, input],
    queryFn: async ({ signal }) => {
      const body = { ...input, dry_run: true };
      const answer = await reanalyzeSession({ path: { id: sessionId }, body, signal, throwOnError: true });
      return answer.data as ReanalysisEstimate;
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
      {words.atMost} <Money usd={max_cost_usd} />
    </>
  );
}
