import { Link } from '@tanstack/react-router';
import type { BatchComparisonItem } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/fields/result-fields.ts';
import type { ComparedRow } from '../../components/comparison.tsx';
import { formatValue } from '../../fields/conditions.ts';
import type { TitleOf } from '../../fields/field-title.tsx';
import { firstValue } from '../../format/metadata.ts';
import { texts } from '../../texts/index.ts';
import styles from './batch.module.css';

const { marks } = texts.experiment;

/** Wrong values first, then right ones, then those without a review. */
const rankOf = ({ is_right }: BatchComparisonItem['fields'][number]) => (is_right === null ? 2 : Number(is_right));

/** Returns the rows of a session before and after: the summary and the fields, if they differ. The first row names the call. */
export function pairRows({ before, after, metadata, fields }: BatchComparisonItem, titleOf: TitleOf): ComparedRow[] {
  const [former, summary] = [before, after].map(({ summary_text, status }) => summary_text ?? texts.status[status]);
  const rows = [
    ...fields
      .filter(({ change }) => change !== 'same')
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .map(({ name, before: one, after: other, was_right, is_right }) => ({
        key: name,
        label: titleOf(name),
        cells: [one, other].map((value) => (value === null ? null : formatValue(value as FieldValue))),
        mark: is_right === null ? undefined : is_right ? marks.right : was_right ? marks.wrong : marks.stillWrong,
        tone: is_right ? ('good' as const) : was_right ? ('bad' as const) : undefined,
      })),
    ...(former === summary
      ? []
      : [{ key: '', label: texts.session.result.summary, cells: [former, summary], mark: undefined, tone: undefined }]),
  ];
  return rows.map(({ key, label, cells, mark, tone }, index) => ({
    key: `${after.session_id} ${key}`,
    title: (
      <>
        {index === 0 && (
          <Link to="/sessions/$sessionId/compare" params={{ sessionId: after.session_id }} className={styles['call']}>
            {firstValue(metadata) ?? before.session_id}
          </Link>
        )}
        {label}
      </>
    ),
    cells,
    isDifferent: true,
    isStart: index === 0,
    mark: mark ?? '',
    tone,
  }));
}
