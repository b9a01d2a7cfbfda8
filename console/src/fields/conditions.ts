/** Conditions on the values of fields, in words. */
import { parseCondition, printCondition, type FieldOperator } from '../../../contract/fields/conditions.ts';
import type { FieldValue } from '../../../contract/fields/result-fields.ts';
import type { TitleOf } from './field-title.tsx';
import { formatExact } from '../format/numbers.ts';
import { texts } from '../texts/index.ts';

const words = texts.fields;

export const conditionOn = (name: string, operator: FieldOperator, value?: FieldValue) =>
  printCondition({ name, operator, value: value === undefined ? undefined : String(value).slice(0, 200) });

/** Replaces all conditions on one field. Returns the new list. */
export function replaceConditions(
  conditions: readonly string[] | undefined,
  name: string,
  added: readonly string[],
): string[] {
  const others = (conditions ?? []).filter((each) => parseCondition(each)?.name !== name);
  return [...others, ...added];
}

/** Keeps the numbers beside an Arabic or Hebrew text in their places: the text is isolated. */
const isolate = (text: string) => (/[\u0590-\u08FF]/.test(text) ? `\u2068${text}\u2069` : text);

/** Returns a condition in words. */
export function describeCondition(condition: string, titleOf: TitleOf): string {
  const { name = '', operator = 'null', value } = parseCondition(condition) ?? {};
  const title = isolate(titleOf(name));
  if (value === undefined) return `${title}: ${words.states[operator as keyof typeof words.states]}`;
  const shown = value === 'true' ? words.yes : value === 'false' ? words.no : value;
  return `${title} ${words.operators[operator as keyof typeof words.operators]} ${isolate(shown)}`;
}

export const describeConditions = (conditions: readonly string[], titleOf: TitleOf) =>
  conditions.map((each) => describeCondition(each, titleOf)).join(', ');

/** Returns a value as text, with all digits of a number and all items of a list. */
export function formatValue(value: FieldValue, separator = ', '): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return formatExact(value);
  return Array.isArray(value) ? value.join(separator) || texts.labels.none : value;
}

const SHORT_LENGTH = 40;

/** Returns a value as short text. */
export function formatShortValue(value: FieldValue): string {
  const text = formatValue(value);
  return text.length <= SHORT_LENGTH ? text : `${text.slice(0, SHORT_LENGTH - 1)}…`;
}
