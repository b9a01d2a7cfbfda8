/** Compares the values of a result with the right answers of a person. */
import { areEqualValues } from '../fields/equal-values.ts';
import { fieldValueOf } from '../fields/field-value.ts';
import type { FieldResults, FieldValue, ResultField } from '../fields/result-fields.ts';
import { questionsOf } from '../fields/field-types.ts';
import { judgedBy, scoresOf } from '../fields/score.ts';
import type { FieldType } from '../values/constants.ts';
import type { Mark, QuoteState } from '../values/session-lists.ts';
import type { ReviewMark } from './reviews.ts';

/** A mark with the type of the field, because a field with another type asks something else. */
export type StoredMark = ReviewMark & { type: FieldType };

type Answers = Record<string, FieldValue | null>;
type Answered = { assistant: { fields?: ResultField[] | undefined }; raw_response: object | null };

/** Returns a person's answers, and the scores that count at least one of them. */
export function withScoredAnswers({ assistant: { fields }, raw_response }: Answered, given: Answers): Answers {
  const isQuestion = ([name]: [string, unknown]) => questionsOf(fields).some((each) => each.name === name);
  const answers = Object.fromEntries(Object.entries(given).filter(isQuestion));
  const results = { fields: {}, evidence: {}, ...raw_response };
  const scores = Object.entries(scoresOf(fields ?? [], results, answers)).filter(([, { parts }]) =>
    parts.some(({ field }) => Object.hasOwn(answers, field)),
  );
  return { ...answers, ...Object.fromEntries(scores.map(([name, { value }]) => [name, value])) };
}

/** Compares the model's values with the right answers. */
export function markAnswers({ assistant, raw_response }: Answered, answers: Answers, unsure: readonly string[]) {
  const { fields: declared = [] } = assistant;
  const { fields = {}, evidence = {} } = (raw_response ?? {}) as Partial<FieldResults>;
  const marks = declared.flatMap((field): [string, StoredMark][] => {
    const { name, title, type } = field;
    const named = { ...(title !== undefined && { title }), type };
    if (unsure.includes(name)) return [[name, { ...named, mark: 'unsure', quotes: 'none' }]];
    // A score is right or wrong once a person has decided all that it counts.
    if (!judgedBy(field).every((each) => Object.hasOwn(answers, each))) return [];
    const value = fieldValueOf(fields, name);
    const verified = value === null || !Object.hasOwn(evidence, name) ? undefined : evidence[name]?.verified;
    const quotes: QuoteState = verified === undefined ? 'none' : verified ? 'verified' : 'unverified';
    return [[name, { ...named, mark: markOf(field, value, answers[name] ?? null), quotes }]];
  });
  return Object.fromEntries(marks);
}

/** @param right the reviewer's answer. */
function markOf({ type }: Pick<ResultField, 'type'>, value: FieldValue | null, right: FieldValue | null): Mark {
  if (areEqualValues(type, value, right)) return 'right';
  if (value === null) return 'missed';
  return right === null ? 'invented' : 'wrong';
}
