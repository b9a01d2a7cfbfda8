/** The facts about each field type. Code that treats types differently reads them here, or has a `switch` without `default`. */
import type { FieldType } from '../values/constants.ts';

interface FieldTypeFacts {
  /** The type of a value in JSON, or of an item. */
  json: 'boolean' | 'integer' | 'number' | 'string';
  /** A value has several items. */
  isList: boolean;
  /** The values are texts of the conversation, or numbers, so that quotes contain them. */
  isQuoted: boolean;
  /** Equal values have the same characters. Other texts are compared without case and punctuation. */
  isExact: boolean;
  /** The same values occur again and again: agreement is counted. */
  repeats: boolean;
  /** People answer before the model's value is shown, because they accept what they see. Typing a text takes too long for that. */
  isBlind: boolean;
}

export const FIELD_TYPE_FACTS: Readonly<Record<FieldType, FieldTypeFacts>> = {
  boolean: { json: 'boolean', isList: false, isQuoted: false, isExact: true, repeats: true, isBlind: true },
  integer: { json: 'integer', isList: false, isQuoted: true, isExact: true, repeats: true, isBlind: true },
  number: { json: 'number', isList: false, isQuoted: true, isExact: false, repeats: false, isBlind: true },
  string: { json: 'string', isList: false, isQuoted: true, isExact: false, repeats: false, isBlind: false },
  enum: { json: 'string', isList: false, isQuoted: false, isExact: true, repeats: true, isBlind: true },
  string_list: { json: 'string', isList: true, isQuoted: true, isExact: false, repeats: false, isBlind: false },
  said: { json: 'boolean', isList: false, isQuoted: false, isExact: true, repeats: true, isBlind: true },
  score: { json: 'number', isList: false, isQuoted: false, isExact: true, repeats: false, isBlind: false },
};

/** Who may have to say something. */
export const SAID_BY = ['operator', 'client'] as const;

export const isText = (type: FieldType) => FIELD_TYPE_FACTS[type].json === 'string';

/** Returns whether the values are ordered, so that they have bounds, a mean and comparisons. */
export const isNumber = (type: FieldType) => ['integer', 'number'].includes(FIELD_TYPE_FACTS[type].json);

export const isYesNo = (type: FieldType) => FIELD_TYPE_FACTS[type].json === 'boolean';

/** Returns the fields that a model answers. */
export const answeredByModel = <F extends { type: FieldType }>(fields: readonly F[]): F[] =>
  questionsOf(fields).filter(({ type }) => type !== 'said');

/** Returns the fields that have an answer of their own: all but scores. */
export const questionsOf = <F extends { type: FieldType }>(fields: readonly F[] | null | undefined): F[] =>
  (fields ?? []).filter(({ type }) => type !== 'score');
