import { useQuery } from '@tanstack/react-query';
import { createBatch, type BatchEstimate, type BatchInput } from 'conversation-analysis-client';
import { useDebounced } from '../../components/use-debounced.ts';
import { Money } from '../../components/values.tsx';
import { printReceivers } from '../../lists/batch-filter.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const words = texts.batches;
const { counts } = texts.lists;

/** An estimate with its input. A batch is started with exactly this input. */
export interface CountedBatch extends BatchEstimate {
  input: BatchInput;
}

/** Estimates the number of sessions and the cost of a batch. `data` is undefined until the current input is counted. */
export function useEstimate(input: BatchInput) {
  const settled = useDebounced(input);
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

export const Estimate = ({ estimate, error }: { estimate: CountedBatch | undefined; error: unknown }) => (
  <p role="status">{error ? toFailure(error).detail : estimate ? <Count {...estimate} /> : words.estimating}</p>
);

function Count({ total, expected_cost_usd, economy_cost_usd, max_cost_usd, sampled, receivers, input }: CountedBatch) {
  if (total === 0) return words.nothing;
  if (input.action === 'redeliver')
    return (
      <>
        <strong>{counts.deliveries(total, false)}</strong>
        {` → ${printReceivers(receivers ?? [])}`}
      </>
    );
  if (max_cost_usd === 0) return <strong>{counts.sessions(total, false)}</strong>;
  return (
    <>
      <strong>{counts.sessions(total, false)}</strong>
      {': '}
      {expected_cost_usd === null ? (
        words.costUnknown
      ) : (
        <>
          {words.expected} <Money usd={expected_cost_usd} />
          {economy_cost_usd !== undefined && (
            <>
              {` (${texts.settingTexts.values['economy']?.['flex']}: `}
              <Money usd={economy_cost_usd} />)
            </>
          )}
          , {words.atMost} <Money usd={max_cost_usd} />
          {sampled && ` (${words.sampled})`}
        </>
      )}
    </>
  );
}
