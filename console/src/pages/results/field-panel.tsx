/** The counts of one field: in total, by value, by day and by version or a key of the metadata. */
import { Link } from '@tanstack/react-router';
import type { FieldAccuracy, FieldCounts } from 'conversation-analysis-client';
import { Panel } from '../../components/page.tsx';
import { Remarks } from '../../components/values.tsx';
import { conditionOn, replaceConditions } from '../../fields/conditions.ts';
import { FieldTitle } from '../../fields/field-title.tsx';
import { formatMean, formatPercent } from '../../format/numbers.ts';
import type { Period } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { FieldDays, ValueBars } from './field-charts.tsx';
import styles from './results.module.css';
import { GroupTable } from './group-table.tsx';

const words = texts.results;

interface FieldPanelProps {
  counts: FieldCounts;
  reviewed: FieldAccuracy | undefined;
  /** Undefined until the assistant is read. */
  question: string | undefined;
  period: Period;
}

export function FieldPanel({ counts, reviewed, question, period }: FieldPanelProps) {
  const { name, title, count, null_count, unverified_count, numbers, mean } = counts;
  return (
    <Panel
      title={
        <>
          <FieldTitle name={name} title={title} />
          <span className={styles['question']}>{question}</span>
        </>
      }
    >
      <Remarks>
        <span>{words.asked(count)}</span>
        <CountLink name={name} operator="null" count={null_count}>
          {words.notMentioned(null_count, formatPercent(count === 0 ? 0 : null_count / count))}
        </CountLink>
        <CountLink name={name} operator="unverified" count={unverified_count}>
          {words.unverified(unverified_count)}
        </CountLink>
        {numbers && mean !== null && (
          <span>{words.numbers([mean, numbers.quartiles[1] ?? mean, numbers.min, numbers.max].map(formatMean))}</span>
        )}
      </Remarks>
      {count > null_count && (
        <div className={styles['charts']}>
          <ValueBars counts={counts} />
          <FieldDays counts={counts} period={period} />
        </div>
      )}
      <GroupTable counts={counts} reviewed={reviewed} period={period} />
    </Panel>
  );
}

interface CountLinkProps {
  name: string;
  operator: 'null' | 'unverified';
  count: number;
  children: string;
}

function CountLink({ name, operator, count, children }: CountLinkProps) {
  if (count === 0) return <span>{children}</span>;
  return (
    <Link
      to="."
      search={(search) => ({ ...search, field: replaceConditions(search.field, name, [conditionOn(name, operator)]) })}
    >
      {children}
    </Link>
  );
}
