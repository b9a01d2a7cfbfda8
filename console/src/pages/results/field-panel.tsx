/** The counts of one field: its values or a histogram, and how they went by day and by version. */
import { Link } from '@tanstack/react-router';
import type { FieldCounts } from '../../../../clients/typescript/src/index.ts';
import { DayChart } from '../../components/day-chart.tsx';
import { Panel } from '../../components/page.tsx';
import { Remarks } from '../../components/values.tsx';
import { conditionOn, narrow } from '../../fields/conditions.ts';
import { formatAnswer, formatPercent } from '../../format/numbers.ts';
import type { Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { toDays } from './field-days.ts';
import { toRows } from './field-rows.ts';
import styles from './results.module.css';
import { ValueBars } from './value-bars.tsx';
import { VersionTable } from './version-table.tsx';

const words = texts.results;

interface FieldPanelProps {
  counts: FieldCounts;
  /** What the assistant asks; undefined where it asks no longer. */
  question: string | undefined;
  period: Period;
}

export function FieldPanel({ counts, question, period }: FieldPanelProps) {
  const { name, count, null_count, unverified_count, numbers, mean } = counts;
  const { series, days } = toDays(counts, period);
  return (
    <Panel title={<FieldTitle name={name} question={question} />}>
      <Remarks>
        <span>{words.asked(count)}</span>
        <CountLink
          name={name}
          operator="null"
          count={null_count}
          text={words.notSaid(null_count, formatPercent(count === 0 ? 0 : null_count / count))}
        />
        <CountLink
          name={name}
          operator="unverified"
          count={unverified_count}
          text={words.unverified(unverified_count)}
        />
        {numbers && mean !== null && (
          <span>
            {words.numbers(
              formatAnswer(mean),
              formatAnswer(numbers.quartiles[1] ?? mean),
              formatAnswer(numbers.min),
              formatAnswer(numbers.max),
            )}
          </span>
        )}
      </Remarks>
      {count > null_count && (
        <div className={styles['charts']}>
          <ValueBars name={name} label={words.valuesOf(name)} rows={toRows(counts)} others={counts.other_count} />
          <DayChart
            label={numbers ? words.meanByDay(name) : words.valuesByDay(name)}
            series={series}
            days={days}
            format={formatAnswer}
            height={180}
            isCount={!numbers}
          />
        </div>
      )}
      <VersionTable counts={counts} />
    </Panel>
  );
}

const FieldTitle = ({ name, question }: { name: string; question: string | undefined }) => (
  <span className={styles['title']}>
    {name}
    <span className={styles['question']}>{question ?? words.former}</span>
  </span>
);

interface CountLinkProps {
  name: string;
  operator: 'null' | 'unverified';
  count: number;
  text: string;
}

function CountLink({ name, operator, count, text }: CountLinkProps) {
  if (count === 0) return <span>{text}</span>;
  return (
    <Link to="." search={(search) => ({ ...search, field: narrow(search.field, name, [conditionOn(name, operator)]) })}>
      {text}
    </Link>
  );
}
