/** Experiments and other batches, newest first: what each does, its result, and whether its settings are in use. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getBatchAccuracyOptions, listBatchesInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { BatchSummary } from 'conversation-analysis-client';
import { useAssistantName, useAssistantOptions } from '../../lists/assistant-options.ts';
import { BATCH_ACTIONS, BATCH_STATUSES } from '../../../../contract/values/constants.ts';
import { titleOfBatch, useFilterLine } from '../../lists/batch-filter.ts';
import { AssistantFrame } from '../../lists/assistant-frame.tsx';
import { BatchState } from '../../lists/batch-state.tsx';
import { FilterBar, useFilterChange } from '../../lists/filter-bar.tsx';
import { ListBody } from '../../lists/list-frame.tsx';
import { TestOther } from '../../lists/test-other.tsx';
import { BriefVerdict } from '../../lists/verdicts.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Money, Nothing, Time } from '../../components/values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page } from '../../components/page.tsx';
import { useFieldTitles } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { isFiltered } from '../../lists/search.ts';
import styles from '../../lists/list.module.css';

const route = getRouteApi('/inside/experiments');
const words = texts.experiment;

/** Few rows, because each verdict is a request. */
const PAGE = 20;

/** Poll interval while an experiment runs. */
const POLL_MS = 5_000;

const idOf = ({ batch_id }: BatchSummary) => batch_id;

export function ExperimentsPage() {
  const search = route.useSearch();
  const { assistant_id } = search;
  const change = useFilterChange('/experiments');
  const query = { ...search, limit: PAGE };
  const pages = useInfiniteQuery({
    ...listBatchesInfiniteOptions({ query }),
    initialPageParam: { query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ ended_at }) => ended_at === null)) ? POLL_MS : false,
  });
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const assistants = useAssistantOptions();
  // The name of its assistant is in the head.
  const shown = { ...search, assistant_id: undefined };
  const filters = [
    ...(assistant_id === undefined ? [{ name: 'assistant_id', options: assistants }] : []),
    { name: 'action', label: words.kind, options: optionsOf(BATCH_ACTIONS, texts.batches.actions) },
    { name: 'status', options: optionsOf(BATCH_STATUSES, texts.status) },
  ];
  const columns = [
    COLUMNS.what,
    ...(assistant_id === undefined ? [COLUMNS.assistant] : []),
    ...(rows.some(({ action }) => action !== 'reanalyze') ? [COLUMNS.kind] : []),
    ...[COLUMNS.result, COLUMNS.cost, COLUMNS.started],
  ];
  const list = (
    <>
      <search className="row" aria-label={texts.lists.filters}>
        <FilterBar filters={filters} search={shown} onChange={change} label={texts.lists.filters} />
        {assistant_id !== undefined && <TestOther assistantId={assistant_id} />}
      </search>
      <ListBody
        list={{ pages, rows }}
        hasFilters={isFiltered(shown)}
        empty={{
          title: words.noExperiments,
          detail: words.noExperimentsDetail,
          actions: <ButtonLink to="/assistants">{texts.shell.assistants}</ButtonLink>,
        }}
      >
        <DataTable caption={texts.common.experiments} columns={columns} rows={rows} rowKey={idOf} isCards />
      </ListBody>
    </>
  );
  if (assistant_id !== undefined)
    return (
      <AssistantFrame id={assistant_id} tab="experiments">
        {list}
      </AssistantFrame>
    );
  return (
    <Page>
      <PageHeader title={texts.common.experiments} />
      {list}
    </Page>
  );
}

function AssistantName({ id }: { id: unknown }) {
  const name = useAssistantName(id);
  return name === undefined ? (
    <Nothing />
  ) : (
    <bdi className="cut" title={name}>
      {name}
    </bdi>
  );
}

/** The name of a batch, and below it what is not usual: its state, its sessions, and that its settings are in use. */
function What({ batch }: { batch: BatchSummary }) {
  const { batch_id, status, failed, action, ended_at, differs } = batch;
  const line = useFilterLine(batch.filter);
  const isUnusual = status !== 'completed' || failed > 0;
  const isUsed = ended_at !== null && differs?.length === 0;
  return (
    <div className={styles['what']}>
      <Link to="/batches/$batchId" params={{ batchId: batch_id }} dir="auto" title={line} data-row-link>
        {titleOfBatch(batch)}
      </Link>
      {(isUnusual || isUsed || action !== 'reanalyze') && (
        <span className={`cut ${styles['below']}`}>
          {isUnusual && <BatchState batch={batch} />}{' '}
          {action !== 'reanalyze' ? line : ended_at === null && <Done batch={batch} />} {isUsed && words.used}
        </span>
      )}
    </div>
  );
}

/** The verdict of an ended experiment. */
function Verdict({ batch: { batch_id: id, ended_at, filter } }: { batch: BatchSummary }) {
  const titleOf = useFieldTitles(String(filter['assistant_id']));
  const { data } = useQuery({ ...getBatchAccuracyOptions({ path: { id } }), enabled: ended_at !== null });
  if (!data) return null;
  if (data.chosen_by.length > 0) return <span className="note">{words.noSample}</span>;
  if (data.sessions === 0) return <span className="note">{words.notReviewed}</span>;
  return <BriefVerdict fields={data.fields} titleOf={titleOf} />;
}

const Done = ({ batch: { completed, failed, canceled, total } }: { batch: BatchSummary }) => (
  <span className="note nowrap">
    {texts.batches.of(formatNumber(completed + failed + canceled), formatNumber(total))}
  </span>
);

const COLUMNS = {
  what: { key: 'what', title: words.one, isWide: true, cell: (batch) => <What batch={batch} /> },
  assistant: {
    key: 'assistant',
    title: texts.kinds.asst,
    isSecondary: true,
    cell: ({ filter }) => <AssistantName id={filter['assistant_id']} />,
  },
  kind: { key: 'kind', title: words.kind, isSecondary: true, cell: ({ action }) => texts.batches.actions[action] },
  result: {
    key: 'result',
    title: texts.share.choices.result,
    isWide: true,
    cell: (batch) => (batch.action === 'reanalyze' ? <Verdict batch={batch} /> : <Done batch={batch} />),
  },
  cost: {
    key: 'cost',
    title: texts.sessions.cost,
    align: 'end',
    isSecondary: true,
    cell: ({ cost_usd }) => <Money usd={cost_usd} />,
  },
  started: {
    key: 'started',
    title: texts.sessions.started,
    isSecondary: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
} satisfies Record<string, Column<BatchSummary>>;
