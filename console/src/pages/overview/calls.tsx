/** What the calls say: the most frequent value of the first questions of each assistant, and how often it is right. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  getAssistantAccuracyOptions,
  getAssistantResultsOptions,
  getStatsOptions,
  listAssistantsOptions,
} from 'conversation-analysis-client/react-query';
import type { Assistant, FieldCounts } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { FactStrip } from '../../components/facts.tsx';
import { Section } from '../../components/page.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { DAY_MS, useSteppedNow } from '../../format/clock.ts';
import { formatDecimal } from '../../format/numbers.ts';
import { formatShare } from '../../format/shares.ts';
import { useReviewSample } from '../../lists/review-sample.ts';
import { periodOf, type OverviewRange, type Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import styles from './overview.module.css';

const words = texts.overview.calls;

/** Number of assistants and of questions that are shown. */
const MAX_ASSISTANTS = 4;
const MAX_FIELDS = 4;

/** The assistants with the most completed sessions of the period. */
export function Calls({ from, range }: { from: string; range: OverviewRange }) {
  const period = periodOf(range === '30d' ? '30d' : '7d', useSteppedNow(DAY_MS));
  const { data: stats } = useQuery(getStatsOptions({ query: { from, interval: 'day', group_by: 'assistant' } }));
  const { data: assistants } = useQuery(listAssistantsOptions());
  const completedOf = (id: string) =>
    stats?.data.reduce((sum, row) => sum + (row.assistant_id === id ? row.sessions.completed : 0), 0) ?? 0;
  const shown = (assistants?.data ?? [])
    .filter(({ id, fields }) => fields?.length && completedOf(id) > 0)
    .sort((a, b) => completedOf(b.id) - completedOf(a.id))
    .slice(0, MAX_ASSISTANTS);
  if (shown.length === 0) return null;
  return (
    <Section title={words.title(texts.lists.ranges[range === '30d' ? '30d' : '7d'])}>
      {shown.map((assistant) => (
        <AssistantCalls key={assistant.id} assistant={assistant} period={period} />
      ))}
    </Section>
  );
}

function AssistantCalls({ assistant: { id, name, fields }, period }: { assistant: Assistant; period: Period }) {
  const path = { id };
  const sample = useReviewSample(id);
  const { data: results } = useQuery(getAssistantResultsOptions({ path, query: period }));
  const { data: accuracy } = useQuery(getAssistantAccuracyOptions({ path, query: period }));
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
  if (type === 'integer' || type === 'number')
    return mean === null ? texts.fields.states.null : words.mean(formatDecimal(mean));
  const [value] = values;
  const [most = 0] = value_counts;
  const isSaid = value !== undefined && most >= null_count;
  return `${isSaid ? formatValue(value) : texts.fields.states.null}: ${formatShare((isSaid ? most : null_count) / count)}`;
}
