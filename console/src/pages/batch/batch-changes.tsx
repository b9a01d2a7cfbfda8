/** The changes that a batch of reanalyses made: counts by field, and sessions before and after. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { compareBatchInfiniteOptions, getAssistantOptions } from 'conversation-analysis-client/react-query';
import type { Batch, BatchComparisonItem, BatchFilter, BatchTotals } from 'conversation-analysis-client';
import { Comparison } from '../../components/comparison.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { Duration, Money } from '../../components/values.tsx';
import { useFieldTitles, type TitleOf } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { MoreButton } from '../../lists/list-parts.tsx';
import { fieldColumnsOf, pairRows } from './change-columns.tsx';

const route = getRouteApi('/inside/batches/$batchId');
const words = texts.batches;
const pairsTitle = texts.compare.heads.join(' → ');

/** Refresh interval while the batch runs. */
const POLL_MS = 5_000;

const PAGE = 50;

/** @param children what follows, shown with the first page so that nothing moves. */
export function BatchChanges({ batch, children }: { batch: Batch; children: ReactNode }) {
  const { batch_id: id, ended_at, filter, overrides } = batch;
  const { assistant_id = '' } = filter as BatchFilter;
  const titleOf = useFieldTitles(assistant_id, overrides?.fields);
  const assistant = useQuery(getAssistantOptions({ path: { id: assistant_id } }));
  const names = (overrides?.fields ?? assistant.data?.fields ?? []).map(({ name }) => name);
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
          <Changes {...{ id, titleOf, names }} totals={pages[0]?.totals} pairs={pages.flatMap(({ data }) => data)} />
          <MoreButton pages={comparison} />
          {children}
        </>
      )}
    </Loaded>
  );
}

interface ChangesProps {
  id: string;
  titleOf: TitleOf;
  /** The fields in the order of the form. */
  names: readonly string[];
  totals: BatchTotals | null | undefined;
  pairs: readonly BatchComparisonItem[];
}

function Changes({ id, titleOf, names, totals, pairs }: ChangesProps) {
  const { changed } = route.useSearch();
  return (
    <>
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
      {totals && <Totals {...{ id, titleOf, names, totals }} />}
    </>
  );
}

interface TotalsProps extends Omit<ChangesProps, 'totals' | 'pairs'> {
  totals: BatchTotals;
}

function Totals({ id, titleOf, names, totals: { sessions, sampled, fields, before, after } }: TotalsProps) {
  return (
    <>
      <Figures>
        <Figure label={words.compared} note={sampled && words.sampled}>
          {formatNumber(sessions)}
        </Figure>
        <BeforeAfter
          label={words.analysisCost}
          before={<Money usd={before.cost_usd} />}
          after={<Money usd={after.cost_usd} />}
        />
        <BeforeAfter
          label={words.modelTime}
          before={<Duration ms={before.duration_s * 1_000} />}
          after={<Duration ms={after.duration_s * 1_000} />}
        />
      </Figures>
      {fields.length > 0 && (
        <Panel title={words.changes} isFlush>
          <DataTable
            caption={words.changes}
            columns={fieldColumnsOf(id, titleOf)}
            rows={sortChanged(fields, names)}
            rowKey={({ name }) => name}
          />
        </Panel>
      )}
    </>
  );
}

const BeforeAfter = ({ label, before, after }: Record<'label' | 'before' | 'after', ReactNode>) => (
  <Figure
    label={label}
    note={
      <>
        {words.before} {before}
      </>
    }
  >
    {after}
  </Figure>
);

/** Returns the fields with the most changes first, then in the order of the form. */
function sortChanged(fields: BatchTotals['fields'], names: readonly string[]): BatchTotals['fields'] {
  const differing = ({ changed, gained, lost }: BatchTotals['fields'][number]) => changed + gained + lost;
  return fields.toSorted((a, b) => differing(b) - differing(a) || names.indexOf(a.name) - names.indexOf(b.name));
}
