/** The changes that a batch of reanalyses made: sessions before and after. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { compareBatchInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { Batch, BatchComparisonItem, BatchFilter } from 'conversation-analysis-client';
import { Comparison } from '../../components/comparison.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { useFieldTitles, type TitleOf } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import { MoreButton } from '../../lists/list-parts.tsx';
import { pairRows } from './change-columns.tsx';

const route = getRouteApi('/inside/batches/$batchId');
const words = texts.batches;
const pairsTitle = texts.compare.heads.join(' → ');

const PAGE = 50;

export function BatchChanges({ batch }: { batch: Batch }) {
  const { batch_id: id, filter, overrides } = batch;
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
  });
  return (
    <Loaded query={comparison} lines={6}>
      {({ pages }) => (
        <>
          <Changes {...{ id, titleOf }} pairs={pages.flatMap(({ data }) => data)} />
          <MoreButton pages={comparison} />
        </>
      )}
    </Loaded>
  );
}

interface ChangesProps {
  id: string;
  titleOf: TitleOf;
  pairs: readonly BatchComparisonItem[];
}

function Changes({ id, titleOf, pairs }: ChangesProps) {
  const { changed } = route.useSearch();
  return (
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
  );
}
