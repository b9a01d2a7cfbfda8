/** Tells for each field whether new settings are more often right than the former ones: docs/reviews.md. */
import { wilson } from '../../contract/values/wilson.ts';
import type { FieldVerdict, Share, Verdict } from '../../contract/reviews/accuracy.ts';
import { areEqualValues } from '../../contract/fields/equal-values.ts';
import { fieldValueOf } from '../../contract/fields/field-value.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import { judgedBy } from '../../contract/fields/score.ts';
import type { ReviewedValues } from '../../db/queries/compare-reviewed.ts';
import {
  canDiffer,
  countPairs,
  holm,
  mcnemarMidP,
  pairedDifference,
  upperQuantile,
  type PairCounts,
} from './statistics.ts';

/** A smaller difference does not matter to most people. */
const SMALL = 0.05;
const ALPHA = 0.05;

/** Reviewers write longer answers in their own words, so equality says nothing. */
const MAX_WORDS = 5;

export function shareOf(right: number, judged: number): Share {
  if (judged === 0) return { right, judged, share: null, lower: null, upper: null };
  return { right, judged, share: right / judged, ...wilson(right, judged) };
}

/**
 * @param fields those of the new settings.
 * @param pairs those whose sessions were analyzed by the settings' own providers.
 * @param isRandom false: the sessions of the batch were chosen, so none of them is a part of a random sample.
 */
export async function compareFields(
  fields: readonly ResultField[],
  pairs: AsyncIterable<ReviewedValues> | Iterable<ReviewedValues>,
  isRandom = true,
): Promise<FieldVerdict[]> {
  const tallies = fields.map(startTally);
  for await (const pair of pairs) for (const tally of tallies) countPair(tally, pair, isRandom);
  return judge(tallies.map((tally) => presentTally(tally, isRandom)));
}

/** Adds verdicts to fields, which are `unclear` or `not_compared` so far. */
export function judge(compared: readonly FieldVerdict[]): FieldVerdict[] {
  const tested = compared.filter(({ verdict }) => verdict !== 'not_compared');
  const able = canDiffer(tested.map(({ only_before, only_after }) => only_before + only_after));
  const corrected = tested.filter((_, index) => able[index]);
  const adjusted = holm(corrected.map(({ p }) => p ?? 1));
  const adjustedOf = new Map(corrected.map(({ name }, index) => [name, adjusted[index] ?? null]));
  return compared.map((field) => {
    if (field.verdict === 'not_compared') return field;
    const judged = { ...field, p_adjusted: adjustedOf.get(field.name) ?? null };
    const verdict = verdictOf(judged);
    return { ...judged, verdict, more_reviews: verdict === 'unclear' ? countMoreReviews(judged, tested.length) : null };
  });
}

/** What is known about a field after some pairs. */
interface Tally {
  field: ResultField;
  counts: PairCounts;
  others: { fixed: number; broken: number };
  left_out: number;
  texts: number;
  words: number;
}

const startTally = (field: ResultField): Tally => ({
  field,
  counts: { both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 },
  others: { fixed: 0, broken: 0 },
  left_out: 0,
  texts: 0,
  words: 0,
});

function countPair(tally: Tally, { answers, same, before, after, ...pair }: ReviewedValues, isRandom: boolean): void {
  const { name, type } = tally.field;
  if (!judgedBy(tally.field).every((each) => Object.hasOwn(answers, each))) return;
  const sampled = pair.sampled && isRandom;
  if (!judgedBy(tally.field).every((each) => same.includes(each))) {
    if (sampled) tally.left_out++;
    return;
  }
  const answer = answers[name] ?? null;
  const [wasRight, isRight] = [before, after].map((fields) =>
    areEqualValues(type, fieldValueOf(fields ?? {}, name), answer),
  );
  if (!sampled) {
    if (wasRight !== isRight) tally.others[isRight ? 'fixed' : 'broken']++;
    return;
  }
  tally.counts[wasRight ? (isRight ? 'both' : 'onlyBefore') : isRight ? 'onlyAfter' : 'neither']++;
  if (typeof answer !== 'string') return;
  tally.texts++;
  tally.words += answer.trim().split(/\s+/).length;
}

function presentTally({ field, counts, others, left_out, texts, words }: Tally, isRandom: boolean): FieldVerdict {
  const { name, title, type } = field;
  const question_changed = left_out > 0 && countPairs(counts) === 0;
  const isLong = type === 'string' && words > MAX_WORDS * texts;
  const verdict = isRandom && !question_changed && !isLong ? 'unclear' : 'not_compared';
  const named = { name, ...(title !== undefined && { title }) };
  return { ...named, ...presentCounts(counts), left_out, question_changed, others, verdict };
}

export function presentCounts(counts: PairCounts) {
  const { both, onlyBefore: only_before, onlyAfter: only_after, neither } = counts;
  const judged = countPairs(counts);
  const shares = { before: shareOf(both + only_before, judged), after: shareOf(both + only_after, judged) };
  const shown = { both, only_before, only_after, neither, ...shares, p_adjusted: null, more_reviews: null };
  if (judged === 0) return { ...shown, difference: null, lower: null, upper: null, p: null };
  const difference = (only_after - only_before) / judged;
  return { ...shown, difference, ...pairedDifference(counts), p: mcnemarMidP(only_before, only_after) };
}

function verdictOf({ lower, upper, p_adjusted }: FieldVerdict): Verdict {
  if (lower === null || upper === null) return 'unclear';
  const isShown = p_adjusted !== null && p_adjusted < ALPHA;
  if (isShown && lower > 0) return 'better';
  if (isShown && upper < 0) return 'worse';
  return lower >= -SMALL && upper <= SMALL ? 'same' : 'unclear';
}

/**
 * Returns how many more pairs would show a small difference in 80% of samples, if the other fields do not differ; null: there
 * are enough. @param tests number of compared fields, by which Holm's method corrects the smallest p-value.
 */
function countMoreReviews({ only_before, only_after, before: { judged } }: FieldVerdict, tests: number): number | null {
  const differing = Math.max(judged === 0 ? 0 : (only_before + only_after) / judged, SMALL);
  const z = upperQuantile(ALPHA / 2 / tests);
  const needed = (z * Math.sqrt(differing) + 0.84 * Math.sqrt(differing - SMALL ** 2)) ** 2 / SMALL ** 2;
  return needed > judged ? Math.ceil(needed - judged) : null;
}
