import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createBatch } from '../../../../clients/typescript/src/index.ts';
import type { BatchEstimate, BatchInput } from '../../../../clients/typescript/src/index.ts';
import { useSettled } from '../../analysis-settings/use-settled.ts';
import { Money } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const words = texts.batches;

/** Returns what a batch would do and cost, before anything is begun; undefined until that is known. */
export function useEstimate(input: BatchInput) {
  const settled = useSettled(input);
  return useQuery({
    queryKey: ['batch-estimate', settled],
    queryFn: async ({ signal }) => {
      const { data } = await createBatch({ body: { ...settled, dry_run: true }, signal, throwOnError: true });
      return data as BatchEstimate;
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
}

interface EstimateProps {
  estimate: BatchEstimate | undefined;
  error: unknown;
}

export function Estimate({ estimate, error }: EstimateProps) {
  return <p role="status">{error ? toFailure(error).detail : estimate ? <Found {...estimate} /> : words.estimating}</p>;
}

function Found({ total, expected_cost_usd, max_cost_usd, sampled }: BatchEstimate) {
  if (total === 0) return words.nothing;
  if (max_cost_usd === 0) return <strong>{words.sessions(formatNumber(total))}</strong>;
  return (
    <>
      <strong>{words.sessions(formatNumber(total))}</strong>
      {': '}
      {expected_cost_usd === null ? (
        words.costUnknown
      ) : (
        <>
          {words.expected} <Money usd={expected_cost_usd} />, {words.atMost} <Money usd={max_cost_usd} />
          {sampled && ` (${words.sampled})`}
        </>
      )}
    </>
  );
}
