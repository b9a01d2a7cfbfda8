/** Finds the alerts whose conditions a result meets, with the same rules as the filter `field=` of the session list. */
import { findMismatch } from '../../contract/fields/conditions.ts';
import { groupConditions, meetFilters, type FieldRow } from '../../contract/fields/field-rows.ts';
import type { FieldResults, FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import type { StoredAlert } from '../../db/models/assistant.ts';

export interface MatchedAlert {
  alert: StoredAlert;
  /** The values of the fields in the conditions. */
  matched: Record<string, FieldValue | null>;
  /** The titles of these fields. */
  titles: ReadonlyMap<string, string>;
}

/** Returns whether a result meets all conditions, and each of them fits the fields. */
export const meetsConditions = (
  when: readonly string[],
  { fields = [], rows }: { fields: readonly ResultField[] | undefined; rows: readonly FieldRow[] },
): boolean =>
  when.every((text) => findMismatch(text, fields) === undefined) && meetFilters(rows, groupConditions(when, fields));

/** @param raw_response contains `FieldResults`, whose values are also `rows`. */
export function matchAlerts(
  alerts: readonly StoredAlert[],
  { fields, rows }: { fields: readonly ResultField[]; rows: readonly FieldRow[] },
  raw_response: Record<string, unknown>,
): MatchedAlert[] {
  const { fields: values } = raw_response as unknown as FieldResults;
  return alerts
    .filter(({ event = 'session.alert', when }) => event === 'session.alert' && meetsConditions(when, { fields, rows }))
    .map((alert) => ({ alert, filters: groupConditions(alert.when, fields) }))
    .map(({ alert, filters }) => ({
      alert,
      matched: Object.fromEntries(filters.map(({ field: { name } }) => [name, values[name] ?? null])),
      titles: new Map(filters.flatMap(({ field: { name, title } }) => (title === undefined ? [] : [[name, title]]))),
    }));
}
