/** The values of a result as rows, and what conditions mean for them: filters compare stored rows, alerts those of a new result. */
import { parseCondition, type FieldOperator } from './conditions.ts';
import { isNumber, isText } from './field-types.ts';
import { findOption } from './fold.ts';
import type { FieldResults, FieldValue, ResultField } from './result-fields.ts';

type NamedField = Pick<ResultField, 'name' | 'type'> & { options?: readonly string[] | undefined };

/** A row of `session_fields`, with the name and type of its field. */
export interface FieldRow extends NamedField {
  /** Index in a list; 0 for other types. */
  item: number;
  /** 0: a quote supports the value, 1: no quote does, 2: no quote was requested. */
  state: 0 | 1 | 2;
  value_num: number | null;
  value_text: string | null;
}

/** Number of characters of a text that filters and results compare. */
export const VALUE_CHARACTERS = 200;

/**
 * Returns the rows of the values of `fields`. A list has a row per distinct item. A missing value is a row without value.
 * @param raw_response contains `FieldResults`.
 */
export function fieldRowsOf(fields: readonly NamedField[] = [], raw_response: Record<string, unknown>): FieldRow[] {
  const { fields: values, evidence } = raw_response as unknown as FieldResults;
  return fields.flatMap(({ name, type }) => {
    const verified = evidence[name]?.verified;
    const state = verified === undefined ? 2 : verified ? 0 : 1;
    return itemsOf(values[name]).map((value, item) => ({ name, type, item, state, ...columnsOf(value) }));
  });
}

function itemsOf(value: FieldValue | null | undefined): (boolean | number | string | null)[] {
  if (!Array.isArray(value)) return [value ?? null];
  return value.length === 0 ? [null] : [...new Set(value)];
}

function columnsOf(value: boolean | number | string | null): Pick<FieldRow, 'value_num' | 'value_text'> {
  if (typeof value === 'string') return { value_num: null, value_text: [...value].slice(0, VALUE_CHARACTERS).join('') };
  return { value_num: value === null ? null : Number(value), value_text: null };
}

/** The conditions on one field. All comparisons must hold. */
export interface FieldFilter<F extends NamedField = NamedField> {
  field: F;
  comparisons: Comparison[];
}

/**
 * A comparison holds if a row has the value; `ne`: if the field has a value, and no row has this one. A row without a value
 * meets no comparison.
 */
export interface Comparison {
  operator: FieldOperator;
  /** Values to compare with. `eq`: any of them; other operators have at most one. */
  values: (number | string)[];
}

/** Returns conditions that fit the fields by field. Several `eq` conditions on one field are alternatives. */
export function groupConditions<F extends NamedField>(
  texts: readonly string[],
  fields: readonly F[],
): FieldFilter<F>[] {
  const conditions = texts.flatMap((text) => parseCondition(text) ?? []);
  return fields.flatMap((field) => {
    const own = conditions.filter(({ name }) => name === field.name);
    const valuesOf = (some: typeof own) => some.flatMap(({ value }) => (value === undefined ? [] : read(value, field)));
    const equal = own.filter(({ operator }) => operator === 'eq');
    const comparisons: Comparison[] = own
      .filter(({ operator }) => operator !== 'eq')
      .map((each) => ({ operator: each.operator, values: valuesOf([each]) }));
    if (equal.length > 0) comparisons.unshift({ operator: 'eq', values: valuesOf(equal) });
    return comparisons.length === 0 ? [] : [{ field, comparisons }];
  });
}

/** Returns a condition's value as rows contain it: booleans as 0 and 1, options as they are declared. */
function read(value: string, { type, options = [] }: NamedField): number | string {
  if (isText(type)) return findOption(options, value) ?? value;
  return isNumber(type) ? Number(value) : Number(value === 'true');
}

/** Returns whether the rows of a result meet the filters. db/queries/filter-by-fields.ts has the same rules in SQL. */
export function meetFilters(rows: readonly FieldRow[], filters: readonly FieldFilter[]): boolean {
  return filters.every(({ field, comparisons }) => {
    const own = rows.filter(({ name }) => name === field.name);
    return comparisons.every((comparison) => meet(own, comparison));
  });
}

function meet(rows: readonly FieldRow[], { operator, values: [bound = 0, ...others] }: Comparison): boolean {
  const values = rows.flatMap(({ value_num, value_text }) => value_num ?? value_text ?? []);
  const equals = () => [bound, ...others].some((each) => values.includes(each));
  switch (operator) {
    case 'eq':
      return equals();
    case 'ne':
      return values.length > 0 && !equals();
    case 'null':
      return values.length === 0;
    case 'not_null':
      return values.length > 0;
    case 'unverified':
      return rows.some(({ state }) => state === 1);
    case 'gt':
      return values.some((each) => each > bound);
    case 'gte':
      return values.some((each) => each >= bound);
    case 'lt':
      return values.some((each) => each < bound);
    case 'lte':
      return values.some((each) => each <= bound);
  }
}
