/** The changes that a batch of reanalyses made: what they cost, and sessions before and after. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { compareBatchInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { Batch, BatchComparisonItem, BatchFilter, BatchTotals } from 'conversation-analysis-client';
import { Comparison } from '../../components/comparison.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { Duration, Money } from '../../components/values.tsx';
import { useFieldTitles, type TitleOf } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import { MoreButton } from '../../lists/list-parts.tsx';
import { pairRows } from './change-columns.tsx';

const route = getRouteApi('/inside/batches/$batchId');
const words = texts.batches;
const pairsTitle = texts.compare.heads.join(' → ');

/** Refresh interval while the batch runs. */
const POLL_MS = 5_000;

const PAGE = 50;

export function BatchChanges({ batch }: { batch: Batch }) {
  const { batch_id: id, ended_at, filter, overrides } = batch;
  const { assistant_id = '' } = filter as BatchFilter;
  const titleOf = useFieldTitles(assistant_id, overrides?.fields);
  const { changed } = route.useSearch();
  const path = { id };
  const query = { limit: PAGE, different: 'true' as const, ...(changed !== undefined && { changed }) };
  const comparison = useInfiniteQuery({
    ...compareBatchInfiniteOptions({ path, query }),
    initialPageParam: { path, query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ended_at === null ? POLL_MS : false,
  });
  return (
    <Loaded query={comparison} lines={6}>
      {({ pages }) => (
        <>
          <Changes {...{ id, titleOf }} totals={pages[0]?.totals} pairs={pages.flatMap(({ data }) => data)} />
          <MoreButton pages={comparison} />
        </>
      )}
    </Loaded>
  );
}

interface ChangesProps {
  id: string;
  titleOf: TitleOf;
  totals: BatchTotals | null | undefined;
  pairs: readonly BatchComparisonItem[];
}

function Changes({ id, titleOf, totals, pairs }: ChangesProps) {
  const { changed } = route.useSearch();
  return (
    <>
      <p className="row note">
        {totals && <Effort totals={totals} />}
        <Link to="/sessions" search={{ batch_id: id }}>
          {words.showSessions}
        </Link>
      </p>
      <Panel
        title={changed === undefined ? texts.experiment.pairs : words.pairsOf(titleOf(changed))}
        actions={
          changed !== undefined && (
            <Link to="/batches/$batchId" params={{ batchId: id }} search={{}}>
              {texts.labels.clearFilters}
            </Link>
          )
        }
      >
        {pairs.length === 0 ? (
          <EmptyState title={texts.compare.same} />
        ) : (
          <Comparison
            caption={pairsTitle}
            heads={texts.compare.heads}
            rows={pairs.flatMap((pair) => pairRows(pair, titleOf))}
          />
        )}
      </Panel>
    </>
  );
}

/** What the analyses cost and took, before and after. */
const Effort = ({ totals: { before, after } }: { totals: BatchTotals }) => (
  <>
    <span>
      {words.analysisCost}: <Money usd={before.cost_usd} /> → <Money usd={after.cost_usd} />
    </span>
    <span>
      {words.modelTime}: <Duration ms={before.duration_s * 1_000} /> → <Duration ms={after.duration_s * 1_000} />
    </span>
  </>
);
