/** The verdict on a field in words, and as the row of a table. */
import { ArrowDown, ArrowUp, CircleHelp, CircleMinus, Equal } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { FieldVerdict, Share } from 'conversation-analysis-client';
import type { Column } from '../components/data-table.tsx';
import { Nothing } from '../components/values.tsx';
import type { TitleOf } from '../fields/field-title.tsx';
import { formatNumber } from '../format/numbers.ts';
import { formatPoints, formatSignedPoints } from '../format/shares.ts';
import { texts } from '../texts/index.ts';
import styles from './verdicts.module.css';

const words = texts.experiment;

const ICONS = { better: ArrowUp, worse: ArrowDown, same: Equal, unclear: CircleHelp, not_compared: CircleMinus };
const ORDER = Object.keys(ICONS);

/** Returns the fields with the clearest verdicts first. */
export const sortVerdicts = (fields: readonly FieldVerdict[]): FieldVerdict[] =>
  fields.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));

/** Returns the fields with the same verdict together, the clearest verdicts first. */
export const groupVerdicts = (fields: readonly FieldVerdict[]): FieldVerdict[][] => [
  ...Map.groupBy(sortVerdicts(fields), (field) =>
    field.verdict === 'not_compared' || !isJudged(field) ? sentenceOf(field) : field.verdict,
  ).values(),
];

/** Returns the verdict that all of the fields have, with their titles, and what it means. */
export function sayVerdict(fields: readonly FieldVerdict[], titleOf: TitleOf): { verdict: string; sentence: string } {
  // The one that needs the most reviews. The numbers of several fields are in the table.
  const field = fields.toSorted((a, b) => (b.more_reviews ?? 0) - (a.more_reviews ?? 0))[0];
  const titles = fields.map(({ name }) => titleOf(name)).join(', ');
  const isNumber = field?.verdict === 'better' || field?.verdict === 'worse';
  return {
    verdict: `${field ? labelOf(field) : ''}: ${titles}${/[?!.…]$/u.test(titles) ? '' : '.'}`,
    sentence: field && !(isNumber && fields.length > 1) ? sentenceOf(field) : '',
  };
}

interface VerdictListProps {
  fields: readonly FieldVerdict[];
  titleOf: TitleOf;
}

/** The verdicts in words, each with the fields that have it. The first one is the headline. */
export const VerdictList = ({ fields, titleOf }: VerdictListProps) => (
  <ul className={styles['verdicts']} aria-label={words.title}>
    {groupVerdicts(fields).map((group) => {
      const { verdict, sentence } = sayVerdict(group, titleOf);
      return (
        <li key={group[0]?.name}>
          <Mark verdict={group[0]?.verdict ?? 'unclear'} />
          <p>
            {verdict} {sentence}
          </p>
        </li>
      );
    })}
  </ul>
);

/** What is better and what is worse in one line, otherwise the first verdict, with all as its title. */
export function BriefVerdict({ fields, titleOf }: VerdictListProps) {
  const said = groupVerdicts(fields).map((group) => ({
    mark: group[0]?.verdict ?? ('unclear' as const),
    text: sayVerdict(group, titleOf).verdict,
  }));
  const clear = said.filter(({ mark }) => mark === 'better' || mark === 'worse');
  return (
    <span className={`${styles['field']} ${styles['brief']}`} title={said.map(({ text }) => text).join('\n')}>
      {(clear.length > 0 ? clear : said.slice(0, 1)).map(({ mark, text }) => (
        <span key={text} className={styles['field']}>
          <Mark verdict={mark} />
          <span className="cut">{text}</span>
        </span>
      ))}
    </span>
  );
}

function Mark({ verdict }: { verdict: FieldVerdict['verdict'] }) {
  const Icon = ICONS[verdict];
  return <Icon size={16} className={styles['icon']} data-verdict={verdict} aria-hidden />;
}

/** Returns whether a review answers the question. */
const isJudged = ({ before }: FieldVerdict) => before.judged > 0;

const labelOf = (field: FieldVerdict): string =>
  isJudged(field) || field.verdict === 'not_compared' ? words.verdicts[field.verdict] : words.notReviewed;

/** Returns the sentence after the titles. */
function sentenceOf(field: FieldVerdict): string {
  const { verdict, before, after, lower, upper, more_reviews } = field;
  if (field.question_changed) return words.questionChanged;
  if (!isJudged(field)) return words.noAnswers;
  if (verdict === 'not_compared') return words.longTexts;
  if (verdict === 'unclear') return more_reviews === null ? words.enough : words.moreReviews(more_reviews);
  if (verdict === 'same') return words.unlikely;
  const [least, most] = verdict === 'better' ? [lower ?? 0, upper ?? 0] : [-(upper ?? 0), -(lower ?? 0)];
  const say = verdict === 'better' ? words.more : words.fewer;
  const rates = words.rates(formatNumber(after.right), formatNumber(before.right), before.judged);
  return `${rates} (${say(formatPoints(least), formatPoints(most), Math.round(most * 100))}).`;
}

/** Returns the fields whose numbers can be compared. */
export const comparable = (fields: readonly FieldVerdict[]): FieldVerdict[] =>
  fields.filter((field) => isJudged(field) && field.verdict !== 'not_compared');

const printRight = ({ right, judged }: Share) => texts.batches.of(formatNumber(right), formatNumber(judged));

/** @param batchId the experiment. A field and its numbers lead to the conversations with different values. */
export function columnsOf(batchId: string, titleOf: TitleOf): Column<FieldVerdict>[] {
  const toPairs = (name: string, text: string, className?: string) => (
    <Link to="/batches/$batchId" params={{ batchId }} search={{ changed: name }} className={className}>
      <bdi>{text}</bdi>
    </Link>
  );
  const end = { align: 'end' } as const;
  return [
    {
      key: 'field',
      title: texts.versions.properties.description,
      isWide: true,
      cell: ({ name, verdict }) => (
        <span className={styles['field']}>
          <Mark verdict={verdict} />
          <strong dir="auto">{titleOf(name)}</strong>
          <span className="visually-hidden">{words.verdicts[verdict]}</span>
        </span>
      ),
    },
    { ...end, key: 'before', title: words.before, cell: ({ before }) => printRight(before) },
    { ...end, key: 'after', title: words.after, cell: ({ after }) => printRight(after) },
    {
      ...end,
      key: 'points',
      title: words.points,
      isSecondary: true,
      cell: ({ difference }) => (difference === null ? <Nothing /> : formatSignedPoints(difference)),
    },
    {
      key: 'range',
      title: words.range,
      isSecondary: true,
      cell: ({ lower, upper }) =>
        lower !== null &&
        upper !== null && (
          <span className="note nowrap">
            {formatSignedPoints(lower)} … {formatSignedPoints(upper)}
          </span>
        ),
    },
    { ...end, key: 'fixed', title: words.fixed, cell: (field) => toPairs(field.name, formatNumber(field.only_after)) },
    {
      ...end,
      key: 'broken',
      title: words.broke,
      cell: (field) => toPairs(field.name, formatNumber(field.only_before)),
    },
  ];
}
