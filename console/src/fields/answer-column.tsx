/** A column with the values of a field. */
import { CircleDashed } from 'lucide-react';
import type { SessionListItem } from 'conversation-analysis-client';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import type { Column } from '../components/data-table.tsx';
import { Nothing } from '../components/values.tsx';
import { FIELD_COLUMN } from '../search/groups.ts';
import { texts } from '../texts/index.ts';
import { formatValue } from './conditions.ts';
import styles from '../components/data-table.module.css';

/** The rows need `include=fields`. */
export const answerColumn = (
  { name, title = name, type }: Pick<ResultField, 'name' | 'title'> & { type: string },
  isExtra: boolean,
): Column<SessionListItem> => ({
  key: FIELD_COLUMN + name,
  title,
  align: type === 'integer' || type === 'number' ? 'end' : 'start',
  isExtra,
  cell: (row) => <Answer row={row} name={name} />,
});

function Answer({ row: { fields, unverified_fields }, name }: { row: SessionListItem; name: string }) {
  const value = fields && Object.hasOwn(fields, name) ? fields[name] : null;
  if (value == null) return <Nothing />;
  const isUnverified = unverified_fields?.includes(name) ?? false;
  return (
    <span className={styles['answer']} dir="auto" title={formatValue(value)}>
      <span className="cut">{formatValue(value)}</span>
      {isUnverified && (
        <CircleDashed
          size={13}
          role="img"
          aria-label={texts.fields.states.unverified}
          className={styles['unverified']}
        />
      )}
    </span>
  );
}
