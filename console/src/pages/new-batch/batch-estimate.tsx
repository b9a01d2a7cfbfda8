import { useQuery } from '@tanstack/react-query';
import { createBatch, type BatchEstimate, type BatchInput } from 'conversation-analysis-client';
import { useDebounced } from '../../components/use-debounced.ts';
import { Facts, type Fact } from '../../components/facts.tsx';
import { Money } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { printReceivers } from '../../lists/batch-filter.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const words = texts.batches;
const costs = texts.session.reanalyze;

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

interface EstimateProps {
  estimate: CountedBatch | undefined;
  error: unknown;
  /** The assistant's version whose settings are used. */
  version: number | undefined;
}

export function Estimate({ estimate, error, version }: EstimateProps) {
  if (!estimate || error || estimate.total === 0)
    return <p role="status">{error ? toFailure(error).detail : estimate ? words.nothing : words.estimating}</p>;
  return (
    <div role="status">
      <Facts facts={factsOf(estimate, version)} />
    </div>
  );
}

function factsOf({ total, receivers, input, ...cost }: CountedBatch, version: number | undefined): (Fact | false)[] {
  const { expected_cost_usd: expected, economy_cost_usd: economy, max_cost_usd: max, sampled } = cost;
  if (input.action === 'redeliver')
    return [[texts.common.deliveries, `${formatNumber(total)} → ${printReceivers(receivers ?? [])}`]];
  return [
    [texts.common.sessions, formatNumber(total)],
    version !== undefined && [texts.shell.settings, words.current(version)],
    max !== 0 && [
      costs.expected,
      <>
        <Money usd={expected} /> {sampled && <span className="note">{words.sampled}</span>}
      </>,
    ],
    max !== 0 && [costs.atMost, <Money usd={max} />],
    economy !== undefined && [texts.settingTexts.values['economy']?.['flex'], <Money usd={economy} />],
  ];
}
