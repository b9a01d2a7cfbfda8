/** The syntax of conditions on field values, in URLs and request bodies: docs/find.md. */
import { isNumber, isYesNo } from './field-types.ts';
import type { FieldFault } from '../errors/field-errors.ts';
import type { FieldType } from '../values/constants.ts';

/** Operators that take a value. */
const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const STATES = ['null', 'not_null', 'unverified'] as const;

export const FIELD_OPERATORS = [...COMPARISONS, ...STATES];
export type FieldOperator = (typeof FIELD_OPERATORS)[number];

export interface FieldCondition {
  name: string;
  operator: FieldOperator;
  /** undefined: the operator takes no value. */
  value: string | undefined;
}

export const MAX_FIELD_CONDITIONS = 10;

/** Examples: `score:gte:8`, `reason:null`. Only the first 200 characters of a value are stored and compared. */
export const FIELD_CONDITION = new RegExp(
  `^[a-z][a-z0-9_]{0,39}:((${COMPARISONS.join('|')}):[^\\u0000]{1,200}|${STATES.join('|')})$`,
  'u',
);

export const CONDITION_SYNTAX = '`name:operator:value` or `name:operator`';

/** Returns the parts of a condition, or undefined if the syntax is wrong. */
export function parseCondition(text: string): FieldCondition | undefined {
  if (!FIELD_CONDITION.test(text)) return undefined;
  const [name = '', operator = '', ...value] = text.split(':');
  return { name, operator: operator as FieldOperator, value: value.length === 0 ? undefined : value.join(':') };
}

export const printCondition = ({ name, operator, value }: FieldCondition) =>
  [name, operator, ...(value === undefined ? [] : [value])].join(':');

/** Returns the operators for a field type. Only numbers are ordered. */
export function operatorsOf(type: FieldType): readonly FieldOperator[] {
  return isNumber(type) ? [...COMPARISONS, ...STATES] : ['eq', 'ne', ...STATES];
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;

/** Returns why a condition does not fit the fields, or undefined if it does. */
export function findMismatch(
  text: string,
  fields: readonly { name: string; type: FieldType }[],
): FieldFault | undefined {
  const condition = parseCondition(text);
  if (!condition) return ['format', { format: CONDITION_SYNTAX }];
  const { name, operator, value } = condition;
  const type = fields.find((field) => field.name === name)?.type;
  if (!type)
    return ['not_field:assistant', { field: name, fields: fields.map((field) => field.name).join(', ') || 'none' }];
  const operators = operatorsOf(type);
  if (!operators.includes(operator)) return ['operators', { field: name, type, operators: operators.join(', ') }];
  if (value === undefined) return undefined;
  if (isYesNo(type) && value !== 'true' && value !== 'false') return ['boolean', { field: name }];
  if (isNumber(type) && !NUMBER.test(value)) return ['number', { field: name }];
  return undefined;
}
