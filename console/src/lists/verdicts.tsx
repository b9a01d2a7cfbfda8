/** The verdict on a field in words, and as the row of a table. */
import { ArrowDown, ArrowUp, CircleHelp, CircleMinus, Equal } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { FieldVerdict, Share } from 'conversation-analysis-client';
import type { Column } from '../components/data-table.tsx';
import { Nothing } from '../components/values.tsx';
import type { TitleOf } from '../fields/field-title.tsx';
import { formatNumber } from '../format/numbers.ts';
import { formatPoints, formatRange, formatShare, formatSignedPoints } from '../format/shares.ts';
import { texts } from '../texts/index.ts';
import styles from './verdicts.module.css';

const words = texts.experiment;

const ICONS = { better: ArrowUp, worse: ArrowDown, same: Equal, unclear: CircleHelp, not_compared: CircleMinus };
const ORDER = Object.keys(ICONS);

/** Returns the fields with the clearest verdicts first. */
export const sortVerdicts = (fields: readonly FieldVerdict[]): FieldVerdict[] =>
  fields.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));

interface VerdictListProps {
  fields: readonly FieldVerdict[];
  titleOf: TitleOf;
  /** Only the verdicts and the fields that have them. */
  isBrief?: boolean;
}

/** Returns the fields with the same verdict together, the clearest verdicts first. */
export const groupVerdicts = (fields: readonly FieldVerdict[], isBrief = false): FieldVerdict[][] => [
  ...Map.groupBy(sortVerdicts(fields), (field) => `${labelOf(field)} ${isBrief ? '' : sentenceOf(field)}`).values(),
];

/** Returns the verdict that all of the fields have, with their titles, and what it means. */
export function sayVerdict(fields: readonly FieldVerdict[], titleOf: TitleOf): { verdict: string; sentence: string } {
  const [field] = fields;
  const titles = fields.map(({ name }) => titleOf(name)).join(', ');
  return {
    verdict: `${field ? labelOf(field) : ''}: ${titles}${/[?!.…]$/u.test(titles) ? '' : '.'}`,
    sentence: field ? sentenceOf(field) : '',
  };
}

/** The verdicts in words, each with the fields that have it. */
export const VerdictList = ({ fields, titleOf, isBrief = false }: VerdictListProps) => (
  <ul className={`${styles['verdicts']} ${isBrief ? styles['brief'] : ''}`} aria-label={words.title}>
    {groupVerdicts(fields, isBrief).map((group) => (
      <Verdict key={group[0]?.name} fields={group} titleOf={titleOf} isBrief={isBrief} />
    ))}
  </ul>
);

function Verdict({ fields, titleOf, isBrief }: VerdictListProps) {
  const { verdict = 'unclear' } = fields[0] ?? {};
  const said = sayVerdict(fields, titleOf);
  const Icon = ICONS[verdict];
  return (
    <li data-verdict={verdict}>
      <Icon size={16} aria-hidden />
      <p>
        {isBrief ? said.verdict : <strong>{said.verdict}</strong>} {!isBrief && said.sentence}
      </p>
    </li>
  );
}
const { range } = texts.accuracy;

/** Returns whether a review answers the question. */
const isJudged = ({ before }: FieldVerdict) => before.judged > 0;

const labelOf = (field: FieldVerdict): string =>
  isJudged(field) || field.verdict === 'not_compared' ? words.verdicts[field.verdict] : words.notReviewed;

/** Returns the sentences after the title. */
function sentenceOf(field: FieldVerdict): string {
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
    <>
      {formatShare(share.share)} <span className={`note ${styles['range']}`}>({formatRange(share)})</span>
    </>
  );

/** Returns how many values became right and wrong: "+21 −3". */
const printFixed = ({ only_after, only_before }: FieldVerdict) =>
  `+${formatNumber(only_after)} −${formatNumber(only_before)}`;

/** @param batchId the experiment. A field links to its conversations with different values. */
export const columnsOf = (batchId: string, titleOf: TitleOf): Column<FieldVerdict>[] => [
  {
    key: 'field',
    title: texts.session.fields.field,
    cell: ({ name }) => (
      <Link to="/batches/$batchId" params={{ batchId }} search={{ changed: name }} className={styles['field']}>
        <bdi>{titleOf(name)}</bdi>
      </Link>
    ),
  },
  { key: 'verdict', title: words.result, cell: (field) => <span className="nowrap">{labelOf(field)}</span> },
  { key: 'before', title: words.before, cell: ({ before }) => printShare(before) },
  { key: 'after', title: words.after, cell: ({ after }) => printShare(after) },
  { key: 'points', title: words.points, isWide: true, cell: (field) => <Difference field={field} /> },
  { key: 'fixed', title: words.fixedBroken, cell: (field) => <span className="nowrap">{printFixed(field)}</span> },
];

function Difference({ field: { difference, lower, upper } }: { field: FieldVerdict }) {
  if (difference === null || lower === null || upper === null) return <Nothing />;
  return (
    <>
      {formatSignedPoints(difference)}{' '}
      <span className="note nowrap">({range(formatSignedPoints(lower), formatSignedPoints(upper))})</span>
    </>
  );
}
