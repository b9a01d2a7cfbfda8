import type { ReactNode } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reanalyzeSession, type ReanalysisEstimate, type ReanalysisInput } from 'conversation-analysis-client';
import { Facts, type Fact } from '../components/facts.tsx';
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
  if (!data || error || data.max_cost_usd === null || data.expected_cost_usd === null)
    return <p role="status">{error ? toFailure(error).detail : data ? words.priceUnknown : words.estimating}</p>;
  const { expected_cost_usd, expected_usage: used, max_cost_usd } = data;
  const tokens = used && words.tokens(formatNumber(used.input_tokens), formatNumber(used.output_tokens));
  return (
    <div role="status">
      <Facts facts={costFacts(expected_cost_usd, max_cost_usd, tokens)} />
    </div>
  );
}

/** Returns the expected and the highest cost as facts. */
export const costFacts = (expected: number, max: number, note?: ReactNode): Fact[] => [
  [
    words.expected,
    <>
      <Money usd={expected} /> <span className="note">{note}</span>
    </>,
  ],
  [words.atMost, <Money usd={max} />],
];
