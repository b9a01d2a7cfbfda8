/** The answers to one question: how often each was given, and how often they are right. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { FieldAccuracy, FieldCounts } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/fields/result-fields.ts';
import { Panel } from '../../components/page.tsx';
import { Remarks } from '../../components/values.tsx';
import { conditionOn, replaceConditions, formatValue } from '../../fields/conditions.ts';
import { FieldTitle } from '../../fields/field-title.tsx';
import { formatAnswer, formatMean, formatNumber } from '../../format/numbers.ts';
import { formatRange, formatShare } from '../../format/shares.ts';
import type { Period } from '../../search/named-period.ts';
import { momentsOf } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { FieldDays } from './field-days.tsx';
import styles from './results.module.css';

const route = getRouteApi('/inside/assistants/$assistantId/results');
const words = texts.results;

interface FieldPanelProps {
  counts: FieldCounts;
  reviewed: FieldAccuracy | undefined;
  /** Undefined until the assistant is read. */
  question: string | undefined;
  period: Period;
}

export function FieldPanel({ counts, reviewed, question, period }: FieldPanelProps) {
  const { name, title = name, numbers, mean, other_count, unverified_count } = counts;
  return (
    <Panel
      title={
        <span className="cut" title={question}>
          <FieldTitle name={name} title={title} />
          <span className={styles['question']}>{question}</span>
        </span>
      }
      actions={reviewed && <Right field={reviewed} period={period} />}
    >
      <ul className={styles['bars']} aria-label={words.answersTo(title)}>
        {toBars(counts).map((bar) => (
          <Bar key={bar.conditions.join()} name={name} of={counts.count} {...bar} />
        ))}
      </ul>
      <Remarks>
        {unverified_count > 0 && (
          <Link to="." search={conditionsOf(name, [conditionOn(name, 'unverified')])} className={styles['linked']}>
            {`${texts.fields.states.unverified}: ${formatNumber(unverified_count)}`}
          </Link>
        )}
        {other_count > 0 && <span>{words.others(other_count)}</span>}
        {numbers && mean !== null && (
          <span>{words.numbers([mean, numbers.quartiles[1] ?? mean, numbers.min, numbers.max].map(formatMean))}</span>
        )}
      </Remarks>
      <FieldDays counts={counts} period={period} />
    </Panel>
  );
}

const conditionsOf =
  (name: string, conditions: readonly string[]) =>
  <Search extends { field?: string[] | undefined }>(search: Search) => ({
    ...search,
    field: replaceConditions(search.field, name, conditions),
  });

/** How many of the model's answers are right, with a link to the wrong ones. */
function Right({ field, period }: { field: FieldAccuracy; period: Period }) {
  const { assistantId: assistant_id } = route.useParams();
  const { version } = route.useSearch();
  const { name, right, judged, share, baseline, agreement } = field;
  if (share === null) return null;
  const always = baseline?.value === null ? texts.fields.states.null : baseline && formatValue(baseline.value);
  const why = [
    words.wrong(judged - right, judged),
    `${formatShare(share)} (${formatRange(field)})`,
    baseline && texts.accuracy.always(always ?? '', formatShare(baseline.share)),
    agreement.share !== null &&
      texts.accuracy.agree(formatShare(agreement.share), formatRange(agreement), agreement.judged),
  ];
  const shown = { className: 'note nowrap', title: why.filter(Boolean).join('. ') };
  if (right === judged) return <span {...shown}>{words.right(right, judged)}</span>;
  const sample = { assistant_id, review: 'sampled', corrected: name, ...momentsOf(period) } as const;
  return (
    <Link to="/sessions" search={{ ...sample, ...(version && { assistant_version: version }) }} {...shown}>
      {words.right(right, judged)}
    </Link>
  );
}

interface Bar {
  label: string;
  count: number;
  /** The conditions that select the sessions of the bar. */
  conditions: string[];
  /** Whether the bar counts sessions without an answer. */
  isMissing?: boolean;
}

/** A value with its count, which adds its conditions to the page. */
const Bar = ({ name, label, count, of, conditions, isMissing }: Bar & { name: string; of: number }) => (
  <li>
    <Link to="." search={conditionsOf(name, conditions)} className={styles['bar']}>
      <span className="cut" title={label}>
        {label}
      </span>
      <span className={styles['track']} aria-hidden>
        <span
          className={styles['fill']}
          data-shape
          data-missing={isMissing}
          style={{ width: `${(count / Math.max(1, of)) * 100}%` }}
        />
      </span>
      <span className={styles['count']}>
        {formatNumber(count)} <span className="note">{formatShare(count / Math.max(1, of))}</span>
      </span>
    </Link>
  </li>
);

function toBars({ name, type, values, value_counts, null_count, numbers }: FieldCounts): Bar[] {
  const toBar = (value: FieldValue, label: string, count: number): Bar => ({
    label,
    count,
    conditions: [conditionOn(name, 'eq', value)],
  });
  const given = numbers
    ? numbers.histogram.map(({ from, to, count }) =>
        type === 'integer' && to - from === 1
          ? toBar(from, formatAnswer(from), count)
          : {
              label: `${formatAnswer(from)} – ${formatAnswer(to)}`,
              count,
              conditions: [conditionOn(name, 'gte', from), conditionOn(name, 'lt', to)],
            },
      )
    : values.map((value, index) => toBar(value, formatValue(value), value_counts[index] ?? 0));
  const missing = {
    label: texts.fields.states.null,
    count: null_count,
    conditions: [conditionOn(name, 'null')],
    isMissing: true,
  };
  return null_count > 0 ? [...given, missing] : given;
}
