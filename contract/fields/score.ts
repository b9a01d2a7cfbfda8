/** Computes scores from the answers to questions. No model takes part. docs/results.md, "Scores". */
import { findMismatch } from './conditions.ts';
import { fieldRowsOf, groupConditions, meetFilters } from './field-rows.ts';
import { isNumber, isYesNo, questionsOf } from './field-types.ts';
import { fieldValueOf } from './field-value.ts';
import type { FieldResults, FieldValue, ResultField, Score } from './result-fields.ts';

/** By answer: `true`, an option, or the number where a band begins, which ends where the next one begins. Other answers earn 0. */
export type Points = Readonly<Record<string, number>>;
type Answer = boolean | number | string;

export const hasPoints = (field: { type: string }) =>
  ['boolean', 'said', 'enum', 'integer', 'number'].includes(field.type);

/** Returns the names that must be judged for the field to be: of a score, its own and those of what it counts. */
export const judgedBy = ({ name, of = [] }: ResultField) => [name, ...of.map(({ field }) => field)];

/** Returns the points of a valid answer. */
function pointsOf(points: Points, value: Answer): number {
  const reached = Object.keys(points).filter((from) => Number(from) <= Number(value));
  const key = typeof value === 'number' ? reached.sort((a, b) => Number(b) - Number(a))[0] : String(value);
  return key !== undefined && Object.hasOwn(points, key) ? (points[key] ?? 0) : 0;
}

/** Returns the points of the worst and of the best answer that the question accepts. */
export function rangeOf({ type, options = [], ...bounds }: ResultField, points: Points) {
  const { minimum = -Infinity, maximum = Infinity } = bounds;
  const bands = [minimum, ...Object.keys(points).map(Number)].filter((from) => minimum <= from && from <= maximum);
  const answers: readonly Answer[] = isYesNo(type) ? [true, false] : isNumber(type) ? bands : options;
  const each = answers.map((value) => pointsOf(points, value));
  return { worst: Math.min(...each), best: Math.max(...each) };
}

type Fields = readonly ResultField[];
type Answers = Readonly<Record<string, FieldValue | null>>;
type Answered = { fields: Answers; evidence: Readonly<Record<string, { verified: boolean }>> };

/** Returns the scores among the fields, by name. @param decided the answers of a person, which are sure. */
export function scoresOf(fields: Fields, results: Answered, decided: Answers = {}): Record<string, Score> {
  const open = Object.entries(results.evidence).filter(([name]) => !Object.hasOwn(decided, name));
  const known = { fields: { ...results.fields, ...decided }, evidence: Object.fromEntries(open) };
  const scores = fields.filter(({ type }) => type === 'score');
  return Object.fromEntries(scores.map((score) => [score.name, scoreOf(score, questionsOf(fields), known)]));
}

function scoreOf({ of = [], must = [], pass = 0 }: ResultField, questions: Fields, known: Answered): Score {
  const rows = fieldRowsOf(questions, { ...known });
  const answerTo = (name: string) => fieldValueOf(known.fields, name);
  const isUnverified = (field: string) =>
    answerTo(field) !== null && rows.some(({ name, state }) => name === field && state === 1);
  const counted = of.flatMap(({ field, points }) => {
    const question = questions.find((each) => each.name === field && hasPoints(each));
    const value = answerTo(field);
    if (!question || Array.isArray(value)) return [];
    const { worst, best: max } = rangeOf(question, points);
    const earned = value === null ? null : pointsOf(points, value);
    return [{ worst, part: { field, points: earned, max, unverified: isUnverified(field) } }];
  });
  /** Sums over the answers. The precision of a score is also that of its comparison with the mark. */
  const share = (earned: (each: (typeof counted)[number]) => number | null) => {
    const answered = counted.filter(({ part }) => part.points !== null);
    const most = answered.reduce((total, { part }) => total + part.max, 0);
    const sum = answered.reduce((total, each) => total + (earned(each) ?? 0), 0);
    return most === 0 ? null : Math.round((10_000 * sum) / most) / 100;
  };
  const low = share(({ part, worst }) => (part.unverified ? worst : part.points));
  const high = share(({ part }) => (part.unverified ? part.max : part.points));
  const fitting = must.filter((condition) => findMismatch(condition, questions) === undefined);
  const met = groupConditions(fitting, questions).map((filter) => {
    const { name: field } = filter.field;
    return { field, met: answerTo(field) === null || meetFilters(rows, [filter]), unverified: isUnverified(field) };
  });
  const parts = counted.map(({ part }) => part);
  return { value: share(({ part }) => part.points), low, high, passed: judge(met, low, high, pass), parts, must: met };
}

function judge(musts: Score['must'], low: number | null, high: number | null, pass: number): Score['passed'] {
  if (musts.some(({ met, unverified }) => !met && !unverified)) return false;
  if (low === null || high === null) return null;
  if (high < pass) return false;
  return low >= pass && !musts.some(({ unverified }) => unverified) ? true : 'open';
}

/** Returns the results with the scores of the fields; without scores, the results as they are. */
export function withScores(fields: Fields, results: FieldResults, version: number | null): FieldResults {
  const entries = Object.entries(scoresOf(fields, results));
  if (entries.length === 0) return results;
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  const scores = Object.fromEntries(entries.map(([name, score]) => [name, { ...score, version }]));
  return { ...results, fields: { ...results.fields, ...values }, scores };
}
