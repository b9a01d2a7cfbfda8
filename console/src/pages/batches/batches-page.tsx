/** The list of batches, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { listBatchesInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { BatchSummary } from 'conversation-analysis-client';
import { BATCH_STATUSES } from '../../../../contract/values/constants.ts';
import { actionBelow, useBatchTitle, useFilterLine } from '../../lists/batch-filter.ts';
import { BatchState, COST_AND_START } from '../../lists/batch-state.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { FilterBar, useFilterChange } from '../../lists/filter-bar.tsx';
import { ListBody, ListFrame } from '../../lists/list-frame.tsx';
import styles from '../../lists/list.module.css';

const route = getRouteApi('/inside/batches');
const words = texts.batches;

/** Poll interval. Batch events refresh only the batch's own page, not this list. */
const POLL_MS = 5_000;

const FILTERS = [{ name: 'status', options: optionsOf(BATCH_STATUSES, texts.status) }];

export function BatchesPage() {
  const query = route.useSearch();
  const change = useFilterChange('/batches');
  const pages = useInfiniteQuery({
    ...listBatchesInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some(({ ended_at }) => ended_at === null) ? POLL_MS : false,
  });
  const rows: BatchSummary[] = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const make = (
    <ButtonLink to="/batches/new" scope="sessions:write">
      {words.make}
    </ButtonLink>
  );
  const filters = <FilterBar filters={FILTERS} search={query} onChange={change} />;
  return (
    <ListFrame tab="batches" actions={make} filters={filters}>
      <ListBody
        list={{ pages, rows }}
        hasFilters={query.status !== undefined}
        empty={{ title: words.none, detail: words.noneDetail, actions: make }}
      >
        <DataTable caption={texts.common.batches} columns={COLUMNS} rows={rows} rowKey={({ batch_id }) => batch_id} />
      </ListBody>
    </ListFrame>
  );
}

function What({ batch }: { batch: BatchSummary }) {
  const title = useBatchTitle()(batch);
  const line = [actionBelow(batch), useFilterLine(batch.filter)].filter(Boolean).join(' · ');
  return (
    <div className={styles['what']}>
      <Link
        to="/batches/$batchId"
        params={{ batchId: batch.batch_id }}
        className="cut"
        dir="auto"
        title={title}
        data-row-link
      >
        {title}
      </Link>
      <span className={`cut ${styles['below']}`} title={line}>
        {line}
      </span>
    </div>
  );
}

const COLUMNS: Column<BatchSummary>[] = [
  { key: 'status', title: texts.sessions.status, cell: (batch) => <BatchState batch={batch} /> },
  {
    key: 'what',
    title: texts.kinds.bat,
    isWide: true,
    cell: (batch) => <What batch={batch} />,
  },
  {
    key: 'done',
    title: words.done,
    align: 'end',
    cell: ({ completed, failed, canceled, total }) => (
      <span className="nowrap">{words.of(formatNumber(completed + failed + canceled), formatNumber(total))}</span>
    ),
  },
  ...COST_AND_START,
];
