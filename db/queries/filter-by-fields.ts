/** Filters sessions by field values, with the typed rows of `session_fields`. */
import { FIELD_TYPE_FACTS, isText } from '../../contract/fields/field-types.ts';
import type { QueryBuilder } from 'objection';
import type { FieldType } from '../../contract/values/constants.ts';
import type { Comparison, FieldFilter } from '../../contract/fields/field-rows.ts';
import type { KnownField } from '../models/assistant-field.ts';
import type { SessionModel } from '../models/session.ts';

/** Conditions on a field; its ID is undefined if no session has the field yet. */
export type KnownFilter = FieldFilter<KnownField>;

export interface Sql {
  sql: string;
  bindings: (string | number | number[] | string[])[];
}

const SYMBOLS = { ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Returns the condition on one row. A row without a value matches no comparison. */
function compare(alias: string, type: FieldType, { operator, values }: Comparison): Sql {
  const [column, value] = isText(type) ? [`${alias}.value_text`, '?'] : [`${alias}.value_num`, '?::numeric'];
  switch (operator) {
    case 'eq':
      return values.length === 1
        ? { sql: `${column} = ${value}`, bindings: values }
        : { sql: `${column} in (${values.map(() => value).join(', ')})`, bindings: values };
    case 'null':
      return { sql: `${column} is null`, bindings: [] };
    case 'not_null':
      return { sql: `${column} is not null`, bindings: [] };
    case 'unverified':
      return { sql: `${alias}.state = 1`, bindings: [] };
    default:
      return { sql: `${column} ${SYMBOLS[operator]} ${value}`, bindings: values };
  }
}

/** Returns the condition on the row of a field. */
function rowOf(alias: string, id: number, type: FieldType, comparisons: readonly Comparison[]): Sql {
  const parts = comparisons.map((comparison) => compare(alias, type, comparison));
  return {
    sql: [`${alias}.field_id = ?`, ...parts.map(({ sql }) => sql)].join(' and '),
    bindings: [id, ...parts.flatMap(({ bindings }) => bindings)],
  };
}

/** Returns the filters as conditions on a column of session IDs. */
export function passesFields(sessionId: string, filters: readonly KnownFilter[]): Sql[] {
  return filters.flatMap(({ field: { id, type }, comparisons }): Sql[] => {
    if (id === undefined) return [{ sql: 'false', bindings: [] }];
    const exists = (some: readonly Comparison[], not = ''): Sql => {
      const { sql, bindings } = rowOf('other', id, type, some);
      return {
        sql: `${not}exists (select from session_fields other where other.session_id = ${sessionId} and ${sql})`,
        bindings,
      };
    };
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
): 'answer.session_id' | undefined {
  const single = filters.filter(({ field: { type } }) => !FIELD_TYPE_FACTS[type].isList);
  const first = single.find(({ comparisons }) => comparisons.some(({ operator }) => operator === 'eq')) ?? single[0];
  for (const { sql, bindings } of passesFields(
    'sessions.id',
    filters.filter((filter) => filter !== first),
  )) {
    query.whereRaw(sql, bindings);
  }
  if (!first) return undefined;
  const { field, comparisons } = first;
  if (field.id === undefined) {
    query.whereRaw('false');
    return undefined;
  }
  const { sql, bindings } = rowOf('answer', field.id, field.type, comparisons);
  query.joinRaw(`join session_fields answer on answer.session_id = sessions.id and ${sql}`, bindings);
  return 'answer.session_id';
}
