/** The assistants in a table: their sessions, failures, most frequent answers, and how often these are right. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AudioLines, MessageSquareText } from 'lucide-react';
import {
  getAssistantAccuracyOptions,
  getAssistantResultsOptions,
  listAssistantsOptions,
} from 'conversation-analysis-client/react-query';
import type { AccuracyReport, Assistant, FieldCounts, ResultsReport, StatsReport } from 'conversation-analysis-client';
import { isNumber } from '../../../contract/fields/field-types.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Skeleton } from '../components/page.tsx';
import { Problem } from '../components/problem-note.tsx';
import { Nothing, Time } from '../components/values.tsx';
import { formatValue } from '../fields/conditions.ts';
import { formatDecimal, formatNumber } from '../format/numbers.ts';
import { formatShare } from '../format/shares.ts';
import { countSessions, usePeriod, type OverviewRange } from '../search/period.ts';
import { useMay } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import styles from './list.module.css';
import { useReviewSample } from './review-sample.ts';
import { ENOUGH, RightIn } from './right-in.tsx';

const words = texts.assistants;

/** Rows with the accuracy, which takes a request each. */
const MAX_ACCURACIES = 24;
const MAX_BRIEF = 5;
const MAX_ANSWERS = 2;

interface Row {
  assistant: Assistant;
  range: OverviewRange;
  sessions: number;
  failed: number;
  deliveries: number;
  undelivered: number;
  results?: ResultsReport | undefined;
  accuracy?: AccuracyReport | undefined;
}

interface AssistantTableProps {
  report: StatsReport;
  range: OverviewRange;
  /** Only the assistants with the most sessions, and their answers. */
  isBrief?: boolean;
}

export function AssistantTable({ report, range, isBrief = false }: AssistantTableProps) {
  const query = usePeriod(isBrief ? range : '30d');
  const assistants = useQuery(listAssistantsOptions());
  const all = (assistants.data?.data ?? []).map((assistant) => rowOf(assistant, report, range));
  const rows = isBrief
    ? all
        .filter(({ sessions }) => sessions > 0)
        .sort((a, b) => b.sessions - a.sessions)
        .slice(0, MAX_BRIEF)
    : all.sort((a, b) => b.failed - a.failed || b.undelivered - a.undelivered || b.sessions - a.sessions);
  const asked = rows.filter(({ assistant }) => assistant.fields?.length).slice(0, MAX_ACCURACIES);
  const requests = asked.map(({ assistant: { id } }) => ({ path: { id }, query }));
  const accuracies = useQueries({ queries: requests.map((each) => getAssistantAccuracyOptions(each)) });
  const results = useQueries({ queries: isBrief ? requests.map((each) => getAssistantResultsOptions(each)) : [] });
  const queries = [assistants, ...accuracies, ...results];
  const refused = queries.find(({ error }) => error);
  if (queries.some(({ isPending, error }) => isPending && !error)) return <Skeleton lines={6} />;
  return (
    <>
      {refused && <Problem error={refused.error} onRetry={() => void refused.refetch()} />}
      {rows.length > 0 && (
        <DataTable
          caption={texts.shell.assistants}
          columns={isBrief ? BRIEF : COLUMNS}
          rows={rows.map((row) => {
            const place = asked.indexOf(row);
            return { ...row, accuracy: accuracies[place]?.data, results: results[place]?.data };
          })}
          rowKey={({ assistant }) => assistant.id}
          isCards={!isBrief}
        />
      )}
    </>
  );
}

function rowOf(assistant: Assistant, report: StatsReport, range: OverviewRange): Row {
  const days = report.data.filter(({ assistant_id }) => assistant_id === assistant.id);
  const sum = (countOf: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + countOf(day), 0);
  const undelivered = sum((day) => day.deliveries.pending + day.undelivered);
  return {
    assistant,
    range,
    sessions: sum(countSessions),
    failed: sum(({ sessions }) => sessions.failed),
    deliveries: undelivered + sum(({ deliveries }) => deliveries.delivered),
    undelivered,
  };
}

const end = { align: 'end' } as const;

const SESSIONS: Column<Row> = {
  ...end,
  key: 'sessions',
  title: texts.common.sessions,
  cell: ({ assistant: { id }, sessions, range }) => (
    <Link to="/sessions" search={{ assistant_id: id, range }}>
      {formatNumber(sessions)}
    </Link>
  ),
};

const RIGHT: Column<Row> = { ...end, key: 'right', title: words.right, cell: (row) => <Reviewed row={row} /> };

const BRIEF: Column<Row>[] = [
  {
    key: 'name',
    title: texts.kinds.asst,
    cell: ({ assistant: { id, name } }) => (
      <Link
        to="/assistants/$assistantId/results"
        params={{ assistantId: id }}
        className="cut"
        title={name}
        dir="auto"
        data-row-link
      >
        {name}
      </Link>
    ),
  },
  SESSIONS,
  {
    key: 'answers',
    title: words.answers,
    isWide: true,
    isSecondary: true,
    cell: ({ assistant, results }) => <Answers assistant={assistant} results={results} />,
  },
  RIGHT,
];

const COLUMNS: Column<Row>[] = [
  {
    key: 'name',
    title: texts.settingTitles.name,
    isWide: true,
    cell: ({ assistant: { id, name, type, description } }) => {
      const Icon = type === 'voice' ? AudioLines : MessageSquareText;
      return (
        <span title={description ?? undefined}>
          <Icon size={14} role="img" aria-label={texts.types[type]} />
          &ensp;
          <Link to="/assistants/$assistantId" params={{ assistantId: id }} dir="auto" data-row-link>
            {name}
          </Link>
        </span>
      );
    },
  },
  { ...SESSIONS, title: words.week },
  {
    ...end,
    key: 'failed',
    title: texts.status.failed,
    cell: ({ assistant: { id }, failed, range }) =>
      failed === 0 ? (
        0
      ) : (
        <Link to="/sessions" search={{ assistant_id: id, range, status: 'failed' }} className="bad">
          {formatNumber(failed)}
        </Link>
      ),
  },
  {
    ...end,
    key: 'undelivered',
    title: texts.status.undelivered,
    cell: ({ assistant: { id }, deliveries, undelivered, range }) =>
      deliveries === 0 ? (
        <Nothing />
      ) : undelivered === 0 ? (
        0
      ) : (
        <Link to="/deliveries" search={{ assistant_id: id, range }} className="warn nowrap">
          {texts.batches.of(formatNumber(undelivered), formatNumber(deliveries))}
        </Link>
      ),
  },
  RIGHT,
  {
    ...end,
    key: 'questions',
    title: texts.settingTitles.fields,
    isSecondary: true,
    cell: ({ assistant }) => assistant.fields?.length ?? 0,
  },
  {
    ...end,
    key: 'changed',
    title: texts.versions.changed,
    isSecondary: true,
    cell: ({ assistant }) => <Time at={assistant.updated_at} />,
  },
];

/** The most frequent values of the first questions. Texts are rarely equal, so their most frequent one says nothing. */
const Answers = ({ assistant, results }: Pick<Row, 'assistant' | 'results'>) => (
  <div className={styles['answers']}>
    {results?.fields
      .filter(({ name, type, count }) => {
        return !type.startsWith('string') && count > 0 && assistant.fields?.some((each) => each.name === name);
      })
      .slice(0, MAX_ANSWERS)
      .map((field) => (
        <span key={field.name}>
          <bdi>{field.title ?? field.name}</bdi> <strong dir="auto">{sayMost(field)}</strong>
        </span>
      ))}
  </div>
);

/** Returns the most frequent value with its share of all sessions, or the mean of numbers. */
function sayMost({ count, null_count, mean, values, value_counts, type }: FieldCounts): string {
  if (isNumber(type) && mean !== null) return words.mean(formatDecimal(mean));
  const [value] = values;
  const [most = 0] = value_counts;
  const isSaid = value !== undefined && most >= null_count;
  return `${isSaid ? formatValue(value) : texts.fields.states.null} ${formatShare((isSaid ? most : null_count) / count)}`;
}

/** How many answers are right, or the reviews that are missing to say so. */
function Reviewed({ row: { assistant, accuracy } }: { row: Row }) {
  const sample = useReviewSample(assistant.id);
  const isAllowed = useMay()('reviews:write');
  if (!accuracy) return <Nothing />;
  if (accuracy.sampled >= ENOUGH || !isAllowed) return <RightIn report={accuracy} />;
  return (
    <Link to="/review" search={sample} className="nowrap">
      {words.reviewMore(ENOUGH - accuracy.sampled)}
    </Link>
  );
}
