/** The verdict on a field in words, and as the row of a table. */
import type { FieldVerdict, Share } from 'conversation-analysis-client';
import type { Column } from '../../components/data-table.tsx';
import { Nothing } from '../../components/values.tsx';
import { Whisker } from '../../components/whisker.tsx';
import { FieldTitle, type TitleOf } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { formatPoints, formatRange, formatShare, formatSignedPoints } from '../../format/shares.ts';
import { texts } from '../../texts/index.ts';
import styles from './batch-accuracy.module.css';

const words = texts.experiment;
const { range } = texts.accuracy;

/** Returns whether a review answers the question. */
const isJudged = ({ before }: FieldVerdict) => before.judged > 0;

export const labelOf = (field: FieldVerdict): string =>
  isJudged(field) || field.verdict === 'not_compared' ? words.verdicts[field.verdict] : words.notReviewed;

/** Returns the sentences after the title. */
export function sentenceOf(field: FieldVerdict): string {
  const { verdict, before, after, lower, upper, only_before, only_after, more_reviews } = field;
  if (field.question_changed) return words.questionChanged;
  if (!isJudged(field)) return words.noAnswers;
  if (verdict === 'not_compared') return words.longTexts;
  if (verdict === 'unclear') return more_reviews === null ? words.enough : words.moreReviews(more_reviews);
  const rates = words.rates(formatShare(after.share ?? 0), formatShare(before.share ?? 0), before.judged);
  const fixed = words.fixed(only_after, only_before);
  if (verdict === 'same') return `${rates}. ${words.unlikely} ${fixed}`;
  const [least, most] = verdict === 'better' ? [lower ?? 0, upper ?? 0] : [-(upper ?? 0), -(lower ?? 0)];
  const say = verdict === 'better' ? words.more : words.fewer;
  return `${rates} (${say(formatPoints(least), formatPoints(most), Math.round(most * 100))}). ${fixed}`;
}

/** Returns the fields whose numbers can be compared. */
export const comparable = (fields: readonly FieldVerdict[]): FieldVerdict[] =>
  fields.filter((field) => isJudged(field) && field.verdict !== 'not_compared');

const printShare = (share: Share) =>
  share.share === null ? (
    <Nothing />
  ) : (
    <span className="nowrap">
      {formatShare(share.share)} <span className="note">({formatRange(share)})</span>
    </span>
  );

/** @param fields all rows, which share a scale. */
export function columnsOf(fields: readonly FieldVerdict[], titleOf: TitleOf): Column<FieldVerdict>[] {
  const most = Math.max(...fields.flatMap(({ lower, upper }) => [-(lower ?? 0), upper ?? 0]), 0.05);
  const number = (key: string, title: string, count: (field: FieldVerdict) => number): Column<FieldVerdict> => ({
    key,
    title,
    align: 'end',
    cell: (field) => formatNumber(count(field)),
  });
  return [
    {
      key: 'field',
      title: texts.session.fields.field,
      cell: ({ name }) => (
        <div className={styles['field']}>
          <FieldTitle name={name} title={titleOf(name)} />
        </div>
      ),
    },
    { key: 'verdict', title: words.result, cell: (field) => <span className="nowrap">{labelOf(field)}</span> },
    { key: 'before', title: words.before, cell: ({ before }) => printShare(before) },
    { key: 'after', title: words.after, cell: ({ after }) => printShare(after) },
    { key: 'points', title: words.points, isWide: true, cell: (field) => <Difference field={field} most={most} /> },
    number('fixed', words.fixedCount, ({ only_after }) => only_after),
    number('broken', words.brokenCount, ({ only_before }) => only_before),
  ];
}

function Difference({ field: { difference, lower, upper }, most }: { field: FieldVerdict; most: number }) {
  if (difference === null || lower === null || upper === null) return <Nothing />;
  return (
    <div className={styles['difference']}>
      <Whisker value={difference} lower={lower} upper={upper} from={-most} to={most} mark={0} />
      <span>
        {formatSignedPoints(difference)}{' '}
        <span className="note nowrap">({range(formatSignedPoints(lower), formatSignedPoints(upper))})</span>
      </span>
    </div>
  );
}
