/** What a batch of reanalyses changed: counts for each field, and the sessions before and after. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { compareBatchInfiniteOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Batch, BatchTotals } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Duration, Money } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { fieldColumnsOf, pairColumns } from './change-columns.tsx';
import styles from './batch.module.css';

const route = getRouteApi('/inside/batches/$batchId');
const words = texts.batches;

/** While the batch runs, what it changed is counted anew this often. */
const POLL_MS = 5_000;

const PAGE = 50;

export function BatchChanges({ batch: { batch_id: id, ended_at } }: { batch: Batch }) {
  const { changed } = route.useSearch();
  const path = { id };
  const query = { limit: PAGE, ...(changed !== undefined && { changed }) };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...compareBatchInfiniteOptions({ path, query }),
    initialPageParam: { path, query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ended_at === null ? POLL_MS : false,
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const pairs = data.pages.flatMap((page) => page.data);
  const totals = data.pages[0]?.totals;
  return (
    <>
      {totals && <Totals id={id} totals={totals} />}
      <Panel
        title={changed === undefined ? words.pairs : words.pairsOf(changed)}
        actions={
          changed !== undefined && (
            <Link to="/batches/$batchId" params={{ batchId: id }} search={{}}>
              {texts.common.clearFilters}
            </Link>
          )
        }
        isFlush
      >
        {pairs.length === 0 ? (
          <EmptyState title={words.noPairs} />
        ) : (
          <DataTable
            caption={words.pairs}
            columns={pairColumns}
            rows={pairs}
            rowKey={({ after }) => after.session_id}
          />
        )}
      </Panel>
      {hasNextPage && (
        <div className={styles['more']}>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.common.more}
          </Button>
        </div>
      )}
    </>
  );
}

function Totals({ id, totals: { sessions, sampled, fields, before, after } }: { id: string; totals: BatchTotals }) {
  return (
    <>
      <Figures>
        <Figure label={words.compared} note={sampled && words.sampled}>
          {formatNumber(sessions)}
        </Figure>
        <Figure
          label={words.costOfAnalysis}
          note={
            <>
              {words.before} <Money usd={before.cost_usd} />
            </>
          }
        >
          <Money usd={after.cost_usd} />
        </Figure>
        <Figure
          label={words.timeOfModel}
          note={
            <>
              {words.before} <Duration ms={before.duration_s * 1_000} />
            </>
          }
        >
          <Duration ms={after.duration_s * 1_000} />
        </Figure>
      </Figures>
      {fields.length > 0 && (
        <Panel title={words.changes} isFlush>
          <DataTable
            caption={words.changes}
            columns={fieldColumnsOf(id)}
            rows={sortChanged(fields)}
            rowKey={({ name }) => name}
          />
        </Panel>
      )}
    </>
  );
}

/** Returns the fields of which the most values differ first; those with as many by name, field 2 before field 10. */
function sortChanged(fields: BatchTotals['fields']): BatchTotals['fields'] {
  const differing = ({ changed, gained, lost }: BatchTotals['fields'][number]) => changed + gained + lost;
  return fields.toSorted(
    (a, b) => differing(b) - differing(a) || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
}
