/** Filters sessions by field values, with the typed rows of `session_fields`. */
import type { QueryBuilder } from 'objection';
import type { FieldType } from '../../contract/values/constants.ts';
import type { FieldOperator } from '../../contract/values/field-conditions.ts';
import type { SessionModel } from '../models/session.ts';

/** The conditions on one field. All tests must hold. */
export interface FieldFilter {
  /** undefined: no session has the field yet. */
  id: number | undefined;
  type: FieldType;
  tests: FieldTest[];
}

export interface FieldTest {
  operator: FieldOperator;
  /** Values to compare with, numbers in decimal notation. `eq`: any of them; other operators have one. */
  values: string[];
}

export interface Sql {
  sql: string;
  bindings: (string | number | number[])[];
}

const SYMBOLS = { ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const isText = (type: FieldType) => type === 'string' || type === 'enum' || type === 'string_list';

/** Returns the condition on one row. A row without a value matches no comparison. */
function testOf(alias: string, type: FieldType, { operator, values }: FieldTest): Sql {
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
function rowOf(alias: string, id: number, { type, tests }: FieldFilter): Sql {
  const parts = tests.map((test) => testOf(alias, type, test));
  return {
    sql: [`${alias}.field_id = ?`, ...parts.map(({ sql }) => sql)].join(' and '),
    bindings: [id, ...parts.flatMap(({ bindings }) => bindings)],
  };
}

/** Returns the filters as conditions on a column of session IDs. */
export function passesFields(sessionId: string, filters: readonly FieldFilter[]): Sql[] {
  return filters.flatMap((filter): Sql[] => {
    const { id, type, tests } = filter;
    if (id === undefined) return [{ sql: 'false', bindings: [] }];
    const exists = (matching: FieldTest[], not = ''): Sql => {
      const { sql, bindings } = rowOf('other', id, { ...filter, tests: matching });
      return {
        sql: `${not}exists (select from session_fields other where other.session_id = ${sessionId} and ${sql})`,
        bindings,
      };
    };
    if (type !== 'string_list') return [exists(tests)];
    // Each item of a list is a row. Different items may pass different tests, but `ne` applies to all items.
    return tests.flatMap((test) =>
      test.operator === 'ne'
        ? [exists([{ operator: 'not_null', values: [] }]), exists([{ ...test, operator: 'eq' }], 'not ')]
        : [exists([test])],
    );
  });
}

/**
 * Filters a query. If a field has one row per session, joins its rows and returns their column of session IDs: the planner
 * can read them newest first.
 */
export function filterByFields(
  query: QueryBuilder<SessionModel, SessionModel[]>,
  filters: readonly FieldFilter[],
): 'answer.session_id' | undefined {
  const single = filters.filter(({ type }) => type !== 'string_list');
  const first = single.find(({ tests }) => tests.some(({ operator }) => operator === 'eq')) ?? single[0];
  for (const { sql, bindings } of passesFields(
    'sessions.id',
    filters.filter((filter) => filter !== first),
  )) {
    query.whereRaw(sql, bindings);
  }
  if (!first) return undefined;
  if (first.id === undefined) {
    query.whereRaw('false');
    return undefined;
  }
  const { sql, bindings } = rowOf('answer', first.id, first);
  query.joinRaw(`join session_fields answer on answer.session_id = sessions.id and ${sql}`, bindings);
  return 'answer.session_id';
}
