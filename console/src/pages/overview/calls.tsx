/** What the calls say: the most frequent value of the first questions of each assistant, and how often it is right. */
import { isNumber } from '../../../../contract/fields/field-types.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  getAssistantAccuracyOptions,
  getAssistantResultsOptions,
  getStatsOptions,
  listAssistantsOptions,
} from 'conversation-analysis-client/react-query';
import type { AccuracyReport, Assistant, FieldCounts, ResultsReport } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { FactStrip } from '../../components/facts.tsx';
import { Section, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { formatDecimal } from '../../format/numbers.ts';
import { formatShare } from '../../format/shares.ts';
import { useReviewSample } from '../../lists/review-sample.ts';
import { usePeriod, type OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './overview.module.css';

const words = texts.overview.calls;

/** Number of assistants and of questions that are shown. */
const MAX_ASSISTANTS = 4;
const MAX_FIELDS = 4;

interface CallsProps {
  from: string;
  range: OverviewRange;
  /** What stands below. It waits until the height of this section is known. */
  children: ReactNode;
}

/** The assistants with the most completed sessions of the period. */
export function Calls({ from, range, children }: CallsProps) {
  const period = usePeriod(range === '30d' ? '30d' : '7d');
  const stats = useQuery(getStatsOptions({ query: { from, interval: 'day', group_by: 'assistant' } }));
  const assistants = useQuery(listAssistantsOptions());
  const completedOf = (id: string) =>
    stats.data?.data.reduce((sum, row) => sum + (row.assistant_id === id ? row.sessions.completed : 0), 0) ?? 0;
  const shown = (assistants.data?.data ?? [])
    .filter(({ id, fields }) => fields?.length && completedOf(id) > 0)
    .sort((a, b) => completedOf(b.id) - completedOf(a.id))
    .slice(0, MAX_ASSISTANTS);
  const paths = shown.map(({ id }) => ({ path: { id }, query: period }));
  const results = useQueries({ queries: paths.map((request) => getAssistantResultsOptions(request)) });
  const accuracies = useQueries({ queries: paths.map((request) => getAssistantAccuracyOptions(request)) });
  const queries = [stats, assistants, ...results, ...accuracies];
  if (queries.some(({ isPending }) => isPending)) return <Skeleton lines={4} />;
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  return (
    <>
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && shown.length > 0 && (
        <Section title={words.title(texts.lists.ranges[range === '30d' ? '30d' : '7d'])}>
          {shown.map((assistant, place) => (
            <AssistantCalls
              key={assistant.id}
              assistant={assistant}
              results={results[place]?.data}
              accuracy={accuracies[place]?.data}
            />
          ))}
        </Section>
      )}
      {children}
    </>
  );
}

interface AssistantCallsProps {
  assistant: Assistant;
  results: ResultsReport | undefined;
  accuracy: AccuracyReport | undefined;
}

function AssistantCalls({ assistant: { id, name, fields }, results, accuracy }: AssistantCallsProps) {
  const sample = useReviewSample(id);
  const rightOf = (field: string) => accuracy?.fields.find((each) => each.name === field)?.share ?? null;
  // Texts are rarely equal, so the most frequent one says nothing.
  const isShown = ({ name: key, type, count }: FieldCounts) =>
    type !== 'string' && count > 0 && fields?.some((each) => each.name === key);
  const current = results?.fields.filter(isShown) ?? [];
  return (
    <article className={`stack ${styles['calls']}`}>
      <div className="row apart">
        <h3 dir="auto">
          <Link to="/assistants/$assistantId/results" params={{ assistantId: id }}>
            {name}
          </Link>
        </h3>
        <span className="row">
          <span className="note">{accuracy && words.reviewed(accuracy.sampled)}</span>
          <ButtonLink size="small" scope="reviews:write" to="/review" search={sample}>
            {texts.shell.review}
          </ButtonLink>
        </span>
      </div>
      <FactStrip
        facts={current.slice(0, MAX_FIELDS).map((field) => {
          const right = rightOf(field.name);
          return [
            field.title ?? field.name,
            `${sayMost(field)}${right === null ? '' : ` · ${words.right(formatShare(right))}`}`,
          ];
        })}
      />
    </article>
  );
}

/** Returns the most frequent value with its share of all sessions, or the mean of numbers. */
function sayMost({ count, null_count, mean, values, value_counts, type }: FieldCounts): string {
  if (isNumber(type) && mean !== null) return words.mean(formatDecimal(mean));
  const [value] = values;
  const [most = 0] = value_counts;
  const isSaid = value !== undefined && most >= null_count;
  return `${isSaid ? formatValue(value) : texts.fields.states.null}: ${formatShare((isSaid ? most : null_count) / count)}`;
}
