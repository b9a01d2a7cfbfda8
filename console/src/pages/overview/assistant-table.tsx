/** What the conversations say: the most frequent answers of each assistant, and how often they are right. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  getAssistantAccuracyOptions,
  getAssistantResultsOptions,
  listAssistantsOptions,
} from 'conversation-analysis-client/react-query';
import type { AccuracyReport, Assistant, FieldCounts, ResultsReport, StatsReport } from 'conversation-analysis-client';
import { isNumber } from '../../../../contract/fields/field-types.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { formatDecimal, formatNumber } from '../../format/numbers.ts';
import { formatShare } from '../../format/shares.ts';
import { ENOUGH, RightIn } from '../../lists/right-in.tsx';
import { useReviewSample } from '../../lists/review-sample.ts';
import { usePeriod, type OverviewRange } from '../../search/period.ts';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { countSessions } from './charts.tsx';
import styles from './overview.module.css';

/** Each assistant takes two requests. */
const MAX_ASSISTANTS = 5;
const MAX_ANSWERS = 2;

interface Row {
  assistant: Assistant;
  sessions: number;
  range: OverviewRange;
  results: ResultsReport | undefined;
  accuracy: AccuracyReport | undefined;
}

interface AssistantTableProps {
  report: StatsReport;
  range: OverviewRange;
  /** What stands below. It waits until the height of the table is known. */
  children: ReactNode;
}

/** The assistants with the most sessions of the period. */
export function AssistantTable({ report, range, children }: AssistantTableProps) {
  const period = usePeriod(range);
  const assistants = useQuery(listAssistantsOptions());
  const sessionsOf = (id: string) =>
    report.data.reduce((sum, row) => sum + (row.assistant_id === id ? countSessions(row) : 0), 0);
  const shown = (assistants.data?.data ?? [])
    .map((assistant) => ({ assistant, sessions: sessionsOf(assistant.id), range }))
    .filter(({ sessions }) => sessions > 0)
    .sort((a, b) => b.sessions - a.sessions)
    .slice(0, MAX_ASSISTANTS);
  const requests = shown.map(({ assistant: { id } }) => ({ path: { id }, query: period }));
  const results = useQueries({ queries: requests.map((request) => getAssistantResultsOptions(request)) });
  const accuracies = useQueries({ queries: requests.map((request) => getAssistantAccuracyOptions(request)) });
  const queries = [assistants, ...results, ...accuracies];
  if (queries.some(({ isPending }) => isPending)) return <Skeleton lines={4} />;
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  return (
    <>
      {failed ? (
        <Problem error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        shown.length > 0 && (
          <DataTable<Row>
            caption={texts.shell.assistants}
            columns={COLUMNS}
            rows={shown.map((row, place) => ({
              ...row,
              results: results[place]?.data,
              accuracy: accuracies[place]?.data,
            }))}
            rowKey={({ assistant }) => assistant.id}
          />
        )
      )}
      {children}
    </>
  );
}

const COLUMNS: Column<Row>[] = [
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
  {
    key: 'sessions',
    title: texts.common.sessions,
    align: 'end',
    cell: ({ assistant: { id }, sessions, range }) => (
      <Link to="/sessions" search={{ assistant_id: id, range }}>
        {formatNumber(sessions)}
      </Link>
    ),
  },
  {
    key: 'answers',
    title: texts.overview.answers,
    isWide: true,
    isSecondary: true,
    cell: (row) => <Answers row={row} />,
  },
  { key: 'right', title: texts.assistants.right, align: 'end', cell: (row) => <Reviewed row={row} /> },
];

/** The most frequent values of the first questions. Texts are rarely equal, so their most frequent one says nothing. */
const Answers = ({ row: { assistant, results } }: { row: Row }) => (
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
  if (isNumber(type) && mean !== null) return texts.overview.mean(formatDecimal(mean));
  const [value] = values;
  const [most = 0] = value_counts;
  const isSaid = value !== undefined && most >= null_count;
  return `${isSaid ? formatValue(value) : texts.fields.states.null} ${formatShare((isSaid ? most : null_count) / count)}`;
}

/** How many answers are right, or the reviews that are missing to say so. */
function Reviewed({ row: { assistant, accuracy } }: { row: Row }) {
  const sample = useReviewSample(assistant.id);
  const isAllowed = useMay()('reviews:write');
  if (!accuracy || !assistant.fields?.length) return null;
  if (accuracy.sampled >= ENOUGH || !isAllowed) return <RightIn report={accuracy} />;
  return (
    <Link to="/review" search={sample} className="nowrap">
      {texts.overview.reviewMore(ENOUGH - accuracy.sampled)}
    </Link>
  );
}
