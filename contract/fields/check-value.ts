/** Checks a value for one field, from a model or a person, against the limits that the schema does not contain. */
import { fieldError, type FieldFault, type FieldSaid } from '../errors/field-errors.ts';
import { FIELD_TYPE_FACTS } from './field-types.ts';
import { findOption, foldWithSigns } from './fold.ts';
import type { FieldProblem, FieldValue, ResultField } from './result-fields.ts';

export const MAX_STRING = 2_000;
export const MAX_ITEMS = 50;
export const MAX_ITEM = 200;

/** The value, null if the conversation does not state it, or the problem. */
type CheckedValue = { value: FieldValue | null } | { problem: FieldProblem; said: FieldSaid };

/** @param answered the values that were given; undefined if the field is missing. */
export function checkValue(field: ResultField, answered: unknown): CheckedValue {
  if (answered === undefined) return refuse('missing', 'required:answer');
  const given = fromText(field, answered);
  const listed = Array.isArray(given) ? given.map((each) => fromText(field, each)) : [given];
  const values = listed.filter((value) => value !== null && !(typeof value === 'string' && value.trim() === ''));
  if (values.length === 0) return { value: null };
  if (FIELD_TYPE_FACTS[field.type].isList) return checkList(values);
  if (values.length > 1) return refuse('too_many', 'one_value', { count: values.length });
  return checkScalar(field, values[0]);
}

/** Returns the value of a text that is exactly the JSON of one. Models without a schema write "7" for 7. */
function fromText({ type }: ResultField, value: unknown): unknown {
  const { json, isList } = FIELD_TYPE_FACTS[type];
  if (typeof value !== 'string' || (json === 'string' && !isList)) return value;
  try {
    const parsed: unknown = JSON.parse(isList ? value : value.toLowerCase());
    return Array.isArray(parsed) === isList ? parsed : value;
  } catch {
    return value;
  }
}

function checkScalar(field: ResultField, value: unknown): CheckedValue {
  switch (field.type) {
    case 'boolean':
    case 'said':
      return typeof value === 'boolean' ? { value } : wrongType(value, 'true or false');
    case 'integer':
      return Number.isSafeInteger(value) ? checkBounds(field, value as number) : wrongType(value, 'an integer');
    case 'number':
    case 'score':
      return typeof value === 'number' ? checkBounds(field, value) : wrongType(value, 'a number');
    case 'string':
      if (typeof value !== 'string') return wrongType(value, 'a text');
      return value.length <= MAX_STRING ? { value } : refuse('too_long', 'max_characters:value', { max: MAX_STRING });
    case 'enum':
      return checkOption(field, value);
    case 'string_list':
      return checkList([value]);
  }
}

function checkBounds({ minimum, maximum }: ResultField, value: number): CheckedValue {
  if (minimum !== undefined && value < minimum) return refuse('out_of_range', 'range', { value, limit: minimum });
  if (maximum !== undefined && value > maximum) return refuse('out_of_range', 'range:more', { value, limit: maximum });
  return { value };
}

function checkOption({ options = [] }: ResultField, value: unknown): CheckedValue {
  if (typeof value !== 'string' || value.length > MAX_STRING) return wrongType(value, 'one of the options');
  const option = findOption(options, value);
  return option === undefined ? refuse('not_an_option', 'not_an_option', { value: brief(value) }) : { value: option };
}

function checkList(values: unknown[]): CheckedValue {
  const invalid = values.find((value) => typeof value !== 'string');
  if (invalid !== undefined) return wrongType(invalid, 'a text');
  // Equal items count once.
  const folded = new Set<string>();
  const texts = (values as string[]).filter((text) => folded.size < folded.add(foldWithSigns(text)).size);
  if (texts.length > MAX_ITEMS) return refuse('too_many', 'too_many:values', { count: texts.length, max: MAX_ITEMS });
  if (texts.some((text) => text.length > MAX_ITEM)) return refuse('too_long', 'max_characters:item', { max: MAX_ITEM });
  return { value: texts };
}

const wrongType = (value: unknown, type: string) => refuse('wrong_type', 'wrong_type', { value: brief(value), type });

function refuse(code: FieldProblem['code'], ...fault: FieldFault): CheckedValue {
  const said = fieldError(...fault);
  return { problem: { code, message: said.message }, said };
}

/** Returns a value as short JSON. */
function brief(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 59)}…` : json;
}
