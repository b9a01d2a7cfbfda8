/** Conditions on the values of fields, as URLs name them and people read them. */
import { MAX_FIELD_CONDITIONS, parseCondition, printCondition } from '../../../contract/field-conditions.ts';
import type { FieldOperator } from '../../../contract/field-conditions.ts';
import type { FieldValue } from '../../../contract/result-fields.ts';
import { texts } from '../texts/index.ts';

const words = texts.fields;

/** Returns the conditions of a URL that have the form of one; undefined where there are none. */
export function conditionsOf(raw: Record<string, unknown>): string[] | undefined {
  const given = [raw['field']].flat().filter((each): each is string => typeof each === 'string');
  const conditions = given.filter((each) => parseCondition(each) !== undefined);
  return conditions.length === 0 ? undefined : conditions.slice(0, MAX_FIELD_CONDITIONS);
}

export const conditionOn = (name: string, operator: FieldOperator, value?: FieldValue) =>
  printCondition({ name, operator, value: value === undefined ? undefined : String(value).slice(0, 200) });

/** Returns the conditions with those that take the place of all that were on the same field. */
export function narrow(conditions: readonly string[] | undefined, name: string, added: readonly string[]): string[] {
  const others = (conditions ?? []).filter((each) => parseCondition(each)?.name !== name);
  return [...others, ...added];
}

/** Says a condition in words. */
export function sayCondition(condition: string): string {
  const { name = '', operator = 'null', value } = parseCondition(condition) ?? {};
  return value === undefined
    ? `${name}: ${words.states[operator as keyof typeof words.states]}`
    : `${name} ${words.operators[operator as keyof typeof words.operators]} ${value}`;
}

/** Says a value, a number to its last digit; the items of a list after each other. */
export function sayValue(value: FieldValue, separator = ', '): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return Array.isArray(value) ? value.join(separator) : String(value);
}

const SHORT_LENGTH = 40;

/** Says a value where there is little room. */
export function sayShort(value: FieldValue): string {
  const said = sayValue(value);
  return said.length <= SHORT_LENGTH ? said : `${said.slice(0, SHORT_LENGTH - 1)}…`;
}
