import { useQuery } from '@tanstack/react-query';
import { createBatch } from 'conversation-analysis-client';
import type { BatchEstimate, BatchInput } from 'conversation-analysis-client';
import { useSettled } from '../../analysis-settings/use-settled.ts';
import { Money } from '../../components/values.tsx';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const words = texts.batches;

/** An estimate and its input. A batch is started with this input only. */
export interface CountedBatch extends BatchEstimate {
  input: BatchInput;
}

/** Returns the count and cost of a batch before it starts. `data` is undefined until the current input is counted. */
export function useEstimate(input: BatchInput) {
  const settled = useSettled(input);
  const { data, error } = useQuery({
    queryKey: ['batch-estimate', settled],
    queryFn: async ({ signal }): Promise<CountedBatch> => {
      const { data: estimate } = await createBatch({ body: { ...settled, dry_run: true }, signal, throwOnError: true });
      return { ...(estimate as BatchEstimate), input: settled };
    },
    refetchOnWindowFocus: false,
  });
  const isSettled = JSON.stringify(settled) === JSON.stringify(input);
  return isSettled ? { data, error } : { data: undefined, error: null };
}

interface EstimateProps {
  estimate: BatchEstimate | undefined;
  error: unknown;
}

export const Estimate = ({ estimate, error }: EstimateProps) => (
  <p role="status">{error ? toFailure(error).detail : estimate ? <Count {...estimate} /> : words.estimating}</p>
);

function Count({ total, expected_cost_usd, max_cost_usd, sampled }: BatchEstimate) {
  if (total === 0) return words.nothing;
  if (max_cost_usd === 0) return <strong>{words.sessions(total)}</strong>;
  return (
    <>
      <strong>{words.sessions(total)}</strong>
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
