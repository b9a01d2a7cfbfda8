import { Link } from '@tanstack/react-router';
import type { BatchComparisonItem, BatchTotals, FieldComparison } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/values/result-fields.ts';
import type { Column } from '../../components/data-table.tsx';
import { Money, Nothing } from '../../components/values.tsx';
import { formatShortValue } from '../../fields/conditions.ts';
import { FieldTitle } from '../../fields/field-title.tsx';
import type { TitleOf } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import styles from './batch.module.css';

const words = texts.batches;

type FieldCounts = BatchTotals['fields'][number];

/** Returns the columns of the counts by field. Each field's name links to the sessions with a different value. */
export const fieldColumnsOf = (batchId: string, titleOf: TitleOf): Column<FieldCounts>[] => [
  {
    key: 'name',
    title: texts.session.fields.field,
    isWide: true,
    cell: ({ name }) => (
      <Link to="/batches/$batchId" params={{ batchId }} search={{ changed: name }}>
        <FieldTitle name={name} title={titleOf(name)} />
      </Link>
    ),
  },
  ...(['same', 'changed', 'gained', 'lost'] as const).map((change): Column<FieldCounts> => ({
    key: change,
    title: words.change[change],
    align: 'end',
    cell: (counts) => formatNumber(counts[change]),
  })),
];

export const pairColumnsOf = (titleOf: TitleOf): Column<BatchComparisonItem>[] => [
  {
    key: 'session',
    title: words.session,
    isWide: true,
    cell: ({ before, after }) => (
      <div className={styles['pair']}>
        <Link
          to="/sessions/$sessionId/compare"
          params={{ sessionId: before.session_id }}
          search={{ with: after.session_id }}
          className="cut"
          dir="auto"
        >
          {after.summary_text ?? texts.status[after.status]}
        </Link>
        <span className={`cut ${styles['former']}`} dir="auto">
          {before.summary_text ?? texts.status[before.status]}
        </span>
      </div>
    ),
  },
  { key: 'changes', title: words.changes, cell: ({ fields }) => <Changes fields={fields} titleOf={titleOf} /> },
  {
    key: 'cost',
    title: texts.sessions.cost,
    align: 'end',
    isSecondary: true,
    cell: ({ before, after }) => (
      <span className="nowrap">
        <Money usd={before.cost_usd} /> → <Money usd={after.cost_usd} />
      </span>
    ),
  },
];

function Changes({ fields, titleOf }: { fields: readonly FieldComparison[]; titleOf: TitleOf }) {
  const changed = fields.filter(({ change }) => change !== 'same');
  if (changed.length === 0) return <Nothing />;
  return (
    <ul className={styles['changes']}>
      {changed.map(({ name, before, after }) => (
        <li key={name} dir="auto">
          <span className={styles['name']}>{titleOf(name)}</span> {print(before)} → {print(after)}
        </li>
      ))}
    </ul>
  );
}

const print = (value: unknown) => (value === null ? words.noValue : formatShortValue(value as FieldValue));
