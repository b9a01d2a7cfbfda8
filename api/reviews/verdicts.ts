/** Tells for each field whether new settings are more often right than the former ones: docs/reviews.md. */
import type { FieldVerdict, Share, Verdict } from '../../contract/reviews/accuracy.ts';
import { areEqualValues } from '../../contract/fields/equal-values.ts';
import { fieldValueOf } from '../../contract/fields/field-value.ts';
import type { FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import type { QuestionPair, ReviewedPair } from '../../db/queries/compare-reviewed.ts';
import { canDiffer, countPairs, holm, mcnemarMidP, pairedDifference, wilson, type PairCounts } from './statistics.ts';

/** A smaller difference does not matter to most people. */
const SMALL = 0.05;
const ALPHA = 0.05;

/** Reviewers write longer answers in their own words, so equality says nothing. */
const MAX_WORDS = 5;

export function shareOf(right: number, judged: number): Share {
  if (judged === 0) return { right, judged, share: null, lower: null, upper: null };
  return { right, judged, share: right / judged, ...wilson(right, judged) };
}

/** @param pairs those whose new session has the batch's own provider. */
export function compareFields(pairs: readonly ReviewedPair[], questions: readonly QuestionPair[]): FieldVerdict[] {
  const compared = fieldsOf(questions).map((field) => comparePairs(field, pairs, questions));
  const tested = compared.filter(({ verdict }) => verdict !== 'not_compared');
  const able = canDiffer(tested.map(({ only_before, only_after }) => only_before + only_after));
  const corrected = tested.filter((_, index) => able[index]);
  const adjusted = holm(corrected.map(({ p }) => p ?? 1));
  const adjustedOf = new Map(corrected.map(({ name }, index) => [name, adjusted[index] ?? null]));
  return compared.map((field) =>
    field.verdict === 'not_compared'
      ? field
      : withVerdict({ ...field, p_adjusted: adjustedOf.get(field.name) ?? null }),
  );
}

/** Returns the fields of the new settings, each once. */
function fieldsOf(questions: readonly QuestionPair[]): ResultField[] {
  const fields = new Map(questions.flatMap(({ after }) => after ?? []).map((field) => [field.name, field]));
  return [...fields.values()];
}

function comparePairs(
  field: ResultField,
  pairs: readonly ReviewedPair[],
  questions: readonly QuestionPair[],
): FieldVerdict {
  const { name, type } = field;
  const counts: PairCounts = { both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 };
  const others = { fixed: 0, broken: 0 };
  const answers: (FieldValue | null)[] = [];
  for (const { answers: reviewed, sampled, before, after } of pairs) {
    if (!Object.hasOwn(reviewed, name)) continue;
    const answer = reviewed[name] ?? null;
    const [wasRight, isRight] = [before, after].map((fields) =>
      areEqualValues(type, fieldValueOf(fields ?? {}, name), answer),
    );
    if (!sampled) {
      if (wasRight !== isRight) others[isRight ? 'fixed' : 'broken']++;
      continue;
    }
    answers.push(answer);
    counts[wasRight ? (isRight ? 'both' : 'onlyBefore') : isRight ? 'onlyAfter' : 'neither']++;
  }
  const question_changed = questions.some(({ before, after }) => !isSame(before, after, name));
  const isCompared = !question_changed && !(type === 'string' && areLong(answers));
  return { name, ...presentCounts(counts), question_changed, others, verdict: isCompared ? 'unclear' : 'not_compared' };
}

function presentCounts(counts: PairCounts) {
  const { both, onlyBefore: only_before, onlyAfter: only_after, neither } = counts;
  const judged = countPairs(counts);
  const shares = { before: shareOf(both + only_before, judged), after: shareOf(both + only_after, judged) };
  const shown = { both, only_before, only_after, neither, ...shares, p_adjusted: null, more_reviews: null };
  if (judged === 0) return { ...shown, difference: null, lower: null, upper: null, p: null };
  const difference = (only_after - only_before) / judged;
  return { ...shown, difference, ...pairedDifference(counts), p: mcnemarMidP(only_before, only_after) };
}

/** Returns whether both settings ask the same question. */
function isSame(before: readonly ResultField[] | null, after: readonly ResultField[] | null, name: string): boolean {
  const asked = (fields: readonly ResultField[] | null) => {
    const field = fields?.find((each) => each.name === name);
    return field && JSON.stringify([field.type, field.description, field.options ?? null]);
  };
  return asked(before) === asked(after);
}

function areLong(answers: readonly (FieldValue | null)[]): boolean {
  const texts = answers.filter((answer) => typeof answer === 'string');
  const words = texts.reduce((sum, text) => sum + text.trim().split(/\s+/).length, 0);
  return words > MAX_WORDS * texts.length;
}

function withVerdict(field: FieldVerdict): FieldVerdict {
  const verdict = verdictOf(field);
  return { ...field, verdict, more_reviews: verdict === 'unclear' ? countMoreReviews(field) : null };
}

function verdictOf({ lower, upper, p_adjusted }: FieldVerdict): Verdict {
  if (lower === null || upper === null) return 'unclear';
  const isShown = p_adjusted !== null && p_adjusted < ALPHA;
  if (isShown && lower > 0) return 'better';
  if (isShown && upper < 0) return 'worse';
  return lower >= -SMALL && upper <= SMALL ? 'same' : 'unclear';
}

/** Returns how many more pairs would show a small difference in 80% of samples; null: there are enough. */
function countMoreReviews({ only_before, only_after, before: { judged } }: FieldVerdict): number | null {
  const differing = Math.max(judged === 0 ? 0 : (only_before + only_after) / judged, 0.05);
  const needed = (1.96 * Math.sqrt(differing) + 0.84 * Math.sqrt(differing - SMALL ** 2)) ** 2 / SMALL ** 2;
  return needed > judged ? Math.ceil(needed - judged) : null;
}
