/** Finds the alerts whose conditions a result meets, with the same rules as the filter `field=` of the session list. */
import { findMismatch, parseCondition } from '../../contract/values/field-conditions.ts';
import type { FieldCondition } from '../../contract/values/field-conditions.ts';
import type { FieldResults, FieldValue, ResultField } from '../../contract/values/result-fields.ts';
import type { StoredAlert } from '../../db/models/assistant.ts';
import { fieldRowsOf } from '../../db/models/session-end.ts';
import type { FieldRow } from '../../db/models/session-end.ts';

export interface MatchedAlert {
  alert: StoredAlert;
  /** The values of the fields in the conditions. */
  matched: Record<string, FieldValue | null>;
}

/** @param raw_response contains `FieldResults`. */
export function matchAlerts(
  alerts: readonly StoredAlert[],
  fields: readonly ResultField[],
  raw_response: Record<string, unknown>,
): MatchedAlert[] {
  if (alerts.length === 0) return [];
  const rows = fieldRowsOf(fields, raw_response);
  const { fields: values } = raw_response as unknown as FieldResults;
  return alerts
    .filter(({ when }) => when.every((text) => findMismatch(text, fields) === undefined))
    .map((alert) => ({ alert, conditions: alert.when.flatMap((text) => parseCondition(text) ?? []) }))
    .filter(({ conditions }) => holdAll(conditions, rows))
    .map(({ alert, conditions }) => ({
      alert,
      matched: Object.fromEntries(conditions.map(({ name }) => [name, values[name] ?? null])),
    }));
}

/** Returns whether the conditions hold. Several `eq` conditions on one field are alternatives; all other conditions must hold. */
function holdAll(conditions: readonly FieldCondition[], rows: readonly FieldRow[]): boolean {
  const holds = (condition: FieldCondition) =>
    meets(
      condition,
      rows.filter(({ name }) => name === condition.name),
    );
  return conditions.every((condition) =>
    condition.operator === 'eq'
      ? conditions.some((other) => other.operator === 'eq' && other.name === condition.name && holds(other))
      : holds(condition),
  );
}

/**
 * Returns whether the rows of a field meet a condition. A list has one row per item. One item must meet the condition; for `ne`,
 * all items must. A row without a value meets no comparison.
 */
function meets({ operator, value = '' }: FieldCondition, rows: readonly FieldRow[]): boolean {
  const values = rows.flatMap(({ value_num, value_text }) => value_num ?? value_text ?? []);
  const equals = (each: number | string) => each === (typeof each === 'number' ? toNumber(value) : value);
  const compares = (test: (each: number, bound: number) => boolean) =>
    values.some((each) => typeof each === 'number' && test(each, toNumber(value)));
  switch (operator) {
    case 'eq':
      return values.some(equals);
    case 'ne':
      return values.length > 0 && !values.some(equals);
    case 'null':
      return values.length === 0;
    case 'not_null':
      return values.length > 0;
    case 'unverified':
      return rows.some(({ state }) => state === 1);
    case 'gt':
      return compares((each, bound) => each > bound);
    case 'gte':
      return compares((each, bound) => each >= bound);
    case 'lt':
      return compares((each, bound) => each < bound);
    case 'lte':
      return compares((each, bound) => each <= bound);
  }
}

/** Rows contain booleans as 0 and 1. */
const toNumber = (value: string) => (value === 'true' || value === 'false' ? Number(value === 'true') : Number(value));
