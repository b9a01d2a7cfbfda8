/** The experiments of all assistants or of one: what changed, whether that is better, and whether it is in use. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getBatchAccuracyOptions, listBatchesInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { BatchSummary } from 'conversation-analysis-client';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { useBatchTitle } from '../../lists/batch-filter.ts';
import { BatchState, COST_AND_START } from '../../lists/batch-state.tsx';
import { FilterBar, useFilterChange } from '../../lists/filter-bar.tsx';
import { ListBody, ListFrame } from '../../lists/list-frame.tsx';
import { TestOther } from '../../lists/test-other.tsx';
import { VerdictList } from '../../lists/verdicts.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { useFieldTitles } from '../../fields/field-title.tsx';
import { texts } from '../../texts/index.ts';
import styles from '../../lists/list.module.css';
import { SideBySide } from './side-by-side.tsx';

const route = getRouteApi('/inside/experiments');
const words = texts.experiment;

/** Few rows, because each verdict is a request. */
const PAGE = 20;

/** Poll interval while an experiment runs. */
const POLL_MS = 5_000;

/** Columns that fit beside each other at 1280 px. */
const MOST_COMPARED = 4;

const idOf = ({ batch_id }: BatchSummary) => batch_id;

export function ExperimentsPage() {
  const search = route.useSearch();
  const { assistant_id, batch_id: chosen = [] } = search;
  const navigate = route.useNavigate();
  const change = useFilterChange('/experiments');
  const query = { action: 'reanalyze' as const, limit: PAGE, ...(assistant_id && { assistant_id }) };
  const pages = useInfiniteQuery({
    ...listBatchesInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ ended_at }) => ended_at === null)) ? POLL_MS : false,
  });
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const compared = rows.filter((row) => chosen.includes(idOf(row)));
  const select = (keys: readonly string[], isSelected: boolean) => {
    const others = chosen.filter((id) => !keys.includes(id));
    const batch_id = isSelected ? [...others, ...keys].slice(-MOST_COMPARED) : others;
    void navigate({ search: (given) => ({ ...given, batch_id }), replace: true });
  };
  const start = assistant_id ? (
    <TestOther assistantId={assistant_id} />
  ) : (
    <ButtonLink to="/assistants">{texts.shell.assistants}</ButtonLink>
  );
  const filters = [{ name: 'assistant_id', options: useAssistantOptions() }];
  return (
    <ListFrame
      tab="experiments"
      actions={assistant_id && start}
      filters={
        <>
          <FilterBar filters={filters} search={{ assistant_id }} onChange={change} />
          {assistant_id && rows.length > 1 && compared.length < 2 && <span className="note">{words.chooseTwo}</span>}
        </>
      }
    >
      {assistant_id && compared.length > 1 && <SideBySide assistantId={assistant_id} batches={compared} />}
      <ListBody
        list={{ pages, rows }}
        hasFilters={false}
        empty={{ title: words.noExperiments, detail: words.noExperimentsDetail, actions: start }}
      >
        <DataTable
          caption={texts.common.experiments}
          columns={COLUMNS}
          rows={rows}
          rowKey={idOf}
          {...(assistant_id && { selected: new Set(chosen), onSelect: select })}
        />
      </ListBody>
    </ListFrame>
  );
}

function What({ batch }: { batch: BatchSummary }) {
  const title = useBatchTitle()(batch);
  const assistant = useAssistantOptions().find(({ value }) => value === batch.filter['assistant_id'])?.label;
  return (
    <div className={styles['what']}>
      <Link to="/batches/$batchId" params={{ batchId: batch.batch_id }} dir="auto" data-row-link>
        {title}
      </Link>
      <span className={`cut ${styles['below']}`} title={assistant}>
        {assistant}
      </span>
    </div>
  );
}

/** The verdict of an ended experiment. */
function Result({ batch: { batch_id: id, ended_at, filter } }: { batch: BatchSummary }) {
  const titleOf = useFieldTitles(String(filter['assistant_id']));
  const { data } = useQuery({ ...getBatchAccuracyOptions({ path: { id } }), enabled: ended_at !== null });
  if (!data) return null;
  if (data.chosen_by.length > 0) return <span className="note">{words.noSample}</span>;
  if (data.sessions === 0) return <span className="note">{words.notReviewed}</span>;
  return <VerdictList fields={data.fields} titleOf={titleOf} isBrief />;
}

const COLUMNS: Column<BatchSummary>[] = [
  { key: 'what', title: words.one, isWide: true, cell: (batch) => <What batch={batch} /> },
  { key: 'result', title: words.result, cell: (batch) => <Result batch={batch} /> },
  {
    key: 'state',
    title: texts.sessions.status,
    cell: (batch) =>
      batch.ended_at !== null && batch.differs?.length === 0 ? (
        <strong>{words.used}</strong>
      ) : (
        <BatchState batch={batch} />
      ),
  },
  ...COST_AND_START,
];
