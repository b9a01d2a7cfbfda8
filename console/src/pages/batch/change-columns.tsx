import { Link } from '@tanstack/react-router';
import type { BatchComparisonItem, BatchTotals } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/fields/result-fields.ts';
import type { ComparedRow } from '../../components/comparison.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Money } from '../../components/values.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { FieldTitle, type TitleOf } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

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

/** Returns the rows of a session before and after: the summary, the changed fields and the cost. */
export function pairRows({ before, after, fields }: BatchComparisonItem, titleOf: TitleOf): ComparedRow[] {
  const id = after.session_id;
  const [summary, former] = [after, before].map(({ summary_text, status }) => summary_text ?? texts.status[status]);
  const changed = fields.filter(({ change }) => change !== 'same');
  return [
    {
      key: id,
      title: (
        <Link to="/sessions/$sessionId/compare" params={{ sessionId: before.session_id }} search={{ with: id }}>
          {texts.session.result.summary}
        </Link>
      ),
      cells: [former, summary],
      isDifferent: former !== summary,
      isStart: true,
    },
    ...changed.map(({ name, before: one, after: other }) => ({
      key: `${id} ${name}`,
      title: titleOf(name),
      cells: [one, other].map((value) => (value === null ? null : formatValue(value as FieldValue))),
      isDifferent: true,
    })),
    {
      key: `${id} cost`,
      title: texts.sessions.cost,
      cells: [<Money usd={before.cost_usd} />, <Money usd={after.cost_usd} />],
      isDifferent: false,
    },
  ];
}
