/** How a condition on a field's value is written, in URLs and bodies alike: docs/decisions.md, "Filters by fields". */
import type { FieldType } from './constants.ts';

/** Operators that a value follows. */
const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const STATES = ['null', 'not_null', 'unverified'] as const;

export type FieldOperator = (typeof COMPARISONS)[number] | (typeof STATES)[number];

/** A field's name, an operator, and for a comparison the value. */
export interface FieldCondition {
  name: string;
  operator: FieldOperator;
  value: string | undefined;
}

export const MAX_FIELD_CONDITIONS = 10;

/** The form of a condition: `score:gte:8`, `reason:null`. Values are stored, and compared, to their 200th character. */
export const FIELD_CONDITION = new RegExp(
  `^[a-z][a-z0-9_]{0,39}:((${COMPARISONS.join('|')}):[^\\u0000]{1,200}|${STATES.join('|')})$`,
  'u',
);

/** Returns the parts of a condition; undefined where the text has not its form. */
export function parseCondition(text: string): FieldCondition | undefined {
  if (!FIELD_CONDITION.test(text)) return undefined;
  const [name = '', operator = '', ...value] = text.split(':');
  return { name, operator: operator as FieldOperator, value: value.length === 0 ? undefined : value.join(':') };
}

export const printCondition = ({ name, operator, value }: FieldCondition) =>
  [name, operator, ...(value === undefined ? [] : [value])].join(':');

/** Returns the operators that a field of this type takes. Only numbers have an order. */
export function operatorsOf(type: FieldType): readonly FieldOperator[] {
  return type === 'integer' || type === 'number' ? [...COMPARISONS, ...STATES] : ['eq', 'ne', ...STATES];
}
