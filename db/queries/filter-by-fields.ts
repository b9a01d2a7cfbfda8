/** Filters sessions by field values, with the typed rows of `session_fields`. */
import type { Knex } from 'knex';
import { Model, type QueryBuilder } from 'objection';
import { FIELD_TYPE_FACTS, isText } from '../../contract/fields/field-types.ts';
import type { FieldType } from '../../contract/values/constants.ts';
import type { Comparison, FieldFilter } from '../../contract/fields/field-rows.ts';
import type { KnownField } from '../models/assistant-field.ts';
import type { ValueSource } from '../../contract/values/session-lists.ts';
import type { SessionModel } from '../models/session.ts';
import { valueRows } from './value-rows.ts';

/** Conditions on a field; its ID is undefined if no session has the field yet. */
export type KnownFilter = FieldFilter<KnownField>;

const raw = (sql: string, bindings: Knex.RawBinding[] = []): Knex.Raw => Model.knex().raw(sql, bindings);

/** Returns the condition that all of these hold. */
export const allOf = (conditions: Knex.Raw[]): Knex.Raw =>
  raw(['true', ...conditions.map(() => '?')].join(' and '), conditions);

const SYMBOLS = { ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Returns the condition on one row. A row without a value matches no comparison. */
function compare(alias: string, type: FieldType, { operator, values }: Comparison): Knex.Raw {
  const [column, value] = isText(type) ? [`${alias}.value_text`, '?'] : [`${alias}.value_num`, '?::numeric'];
  switch (operator) {
    case 'eq':
      return raw(`${column} in (${values.map(() => value).join(', ')})`, values);
    case 'null':
      return raw(`${column} is null`);
    case 'not_null':
      return raw(`${column} is not null`);
    case 'unverified':
      return raw(`${alias}.state = 1`);
    default:
      return raw(`${column} ${SYMBOLS[operator]} ${value}`, values);
  }
}

/** Returns the condition on the row of a field. */
const rowOf = (alias: string, id: number, type: FieldType, comparisons: readonly Comparison[]): Knex.Raw =>
  allOf([raw(`${alias}.field_id = ?`, [id]), ...comparisons.map((comparison) => compare(alias, type, comparison))]);

/** Returns the filters as conditions on a column of session IDs. */
export function passesFields(sessionId: string, filters: readonly KnownFilter[], values?: ValueSource): Knex.Raw[] {
  const rows = valueRows(values, sessionId);
  return filters.flatMap(({ field: { id, type }, comparisons }) => {
    if (id === undefined) return [raw('false')];
    const exists = (some: readonly Comparison[], not = '') =>
      raw(`${not}exists (select from ${rows} other where other.session_id = ${sessionId} and ?)`, [
        rowOf('other', id, type, some),
      ]);
    if (!FIELD_TYPE_FACTS[type].isList) return [exists(comparisons)];
    // Each item of a list is a row. Different items may meet different comparisons, but `ne` applies to all items.
    return comparisons.flatMap((comparison) =>
      comparison.operator === 'ne'
        ? [exists([{ operator: 'not_null', values: [] }]), exists([{ ...comparison, operator: 'eq' }], 'not ')]
        : [exists([comparison])],
    );
  });
}

/**
 * Filters a query. If a field has one row per session, joins its rows and returns their column of session IDs: the planner
 * can read them newest first.
 */
export function filterByFields(
  query: QueryBuilder<SessionModel, SessionModel[]>,
  filters: readonly KnownFilter[],
  values?: ValueSource,
): 'answer.session_id' | undefined {
  // What people decided has no index: it is read session by session.
  const single = values === 'reviewed' ? [] : filters.filter(({ field: { type } }) => !FIELD_TYPE_FACTS[type].isList);
  const first = single.find(({ comparisons }) => comparisons.some(({ operator }) => operator === 'eq')) ?? single[0];
  const others = filters.filter((filter) => filter !== first);
  for (const condition of passesFields('sessions.id', others, values)) query.whereRaw('?', [condition]);
  if (!first) return undefined;
  const { field, comparisons } = first;
  if (field.id === undefined) {
    query.whereRaw('false');
    return undefined;
  }
  const rows = rowOf('answer', field.id, field.type, comparisons);
  query.joinRaw('join session_fields answer on answer.session_id = sessions.id and ?', [rows]);
  return 'answer.session_id';
}
