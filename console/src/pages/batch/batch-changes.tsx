/** The answers that an experiment changed, those that became wrong first. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ArrowRight, Check, X } from 'lucide-react';
import { compareBatchInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { Batch, BatchComparisonItem, BatchFilter } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/fields/result-fields.ts';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { Nothing } from '../../components/values.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { useFieldTitles, type TitleOf } from '../../fields/field-title.tsx';
import { firstValue } from '../../format/metadata.ts';
import { texts } from '../../texts/index.ts';
import { MoreButton } from '../../lists/list-parts.tsx';
import list from '../../lists/list.module.css';
import styles from './batch.module.css';

const route = getRouteApi('/inside/batches/$batchId');
const { marks, pairs } = texts.experiment;

const PAGE = 50;
/** Rows before somebody asks for the others. */
const FEW = 10;

export function BatchChanges({ batch }: { batch: Batch }) {
  const { batch_id: id, filter, overrides } = batch;
  const titleOf = useFieldTitles((filter as BatchFilter).assistant_id, overrides?.fields);
  const { changed } = route.useSearch();
  const [isWhole, setWhole] = useState(false);
  const path = { id };
  const query = { limit: PAGE, different: 'true' as const, ...(changed !== undefined && { changed }) };
  const comparison = useInfiniteQuery({
    ...compareBatchInfiniteOptions({ path, query }),
    initialPageParam: { path, query },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title={changed === undefined ? pairs : `${pairs}: ${titleOf(changed)}`}
      isFlush
      actions={
        changed !== undefined && (
          <Link to="/batches/$batchId" params={{ batchId: id }} search={{}}>
            {texts.labels.clearFilters}
          </Link>
        )
      }
    >
      <Loaded query={comparison} lines={6}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data.flatMap((pair) => rowsOf(pair, titleOf, changed)));
          rows.sort((a, b) => a.rank - b.rank);
          return rows.length === 0 ? (
            <EmptyState title={texts.compare.same} />
          ) : (
            <>
              <DataTable
                caption={pairs}
                columns={COLUMNS}
                rows={isWhole ? rows : rows.slice(0, FEW)}
                rowKey={({ key }) => key}
                isCards
              />
              {isWhole || rows.length <= FEW ? (
                <MoreButton pages={comparison} />
              ) : (
                <div className={list['more']}>
                  <Button onClick={() => setWhole(true)}>{texts.labels.more}</Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface Row {
  key: string;
  pair: BatchComparisonItem;
  question: string;
  before: string | null;
  after: string | null;
  mark: keyof typeof marks | undefined;
  /** Wrong values first, then right ones, then those without a review. */
  rank: number;
}

const RANKS = ['wrong', 'stillWrong', 'right', undefined];

/** Returns the different answers of a conversation, and its summary if that differs and no question was chosen. */
function rowsOf(pair: BatchComparisonItem, titleOf: TitleOf, changed: string | undefined): Row[] {
  const rowOf = (name: string, question: string, cells: (string | null)[], mark?: keyof typeof marks): Row => {
    const [before = null, after = null] = cells;
    return { key: `${pair.after.session_id} ${name}`, pair, question, before, after, mark, rank: RANKS.indexOf(mark) };
  };
  const [former, summary] = [pair.before, pair.after].map(
    ({ summary_text, status }) => summary_text ?? texts.status[status],
  );
  const answers = pair.fields.filter(({ name, change }) => change !== 'same' && (changed ?? name) === name);
  return [
    ...answers.map(({ name, before, after, was_right, is_right }) =>
      rowOf(
        name,
        titleOf(name),
        [before, after].map((value) => (value === null ? null : formatValue(value as FieldValue))),
        is_right === null ? undefined : is_right ? 'right' : was_right ? 'wrong' : 'stillWrong',
      ),
    ),
    ...(former === summary || changed !== undefined
      ? []
      : [rowOf('', texts.share.parts.summary, [former ?? null, summary ?? null])]),
  ];
}

const COLUMNS: Column<Row>[] = [
  {
    key: 'session',
    title: texts.kinds.sess,
    cell: ({ pair: { before, after, metadata } }) => {
      const name = firstValue(metadata) ?? before.session_id;
      return (
        <Link to="/sessions/$sessionId/compare" params={{ sessionId: after.session_id }} className="cut" title={name}>
          {name}
        </Link>
      );
    },
  },
  {
    key: 'question',
    title: texts.versions.properties.description,
    cell: ({ question }) => (
      <bdi className="cut" title={question}>
        {question}
      </bdi>
    ),
  },
  {
    key: 'answer',
    title: texts.compare.heads.join(' → '),
    isWide: true,
    cell: ({ before, after }) => (
      <span className={styles['change']}>
        <span dir="auto">{before ?? <Nothing />}</span>
        <ArrowRight size={13} aria-hidden />
        <strong dir="auto">{after ?? <Nothing />}</strong>
      </span>
    ),
  },
  {
    key: 'mark',
    title: texts.share.choices.result,
    align: 'end',
    cell: ({ mark }) =>
      mark && (
        <span className={`nowrap ${mark === 'right' ? 'note' : 'bad'}`}>
          {mark === 'right' ? <Check size={13} aria-hidden /> : <X size={13} aria-hidden />} {marks[mark]}
        </span>
      ),
  },
];
