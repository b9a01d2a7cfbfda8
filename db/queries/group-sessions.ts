/** Counts the sessions of a filter by the keys or values of their metadata, or by the values of a field. */
import { isYesNo } from '../../contract/fields/field-types.ts';
import { MAX_METADATA_GROUPS } from '../../contract/values/metadata-group.ts';
import { SessionModel } from '../models/session.ts';
import type { ValueSource } from '../../contract/values/session-lists.ts';
import type { KnownField } from '../models/assistant-field.ts';
import { readRows } from '../statements.ts';
import { selectSessions, type ListedFilter } from './list-sessions.ts';
import { valueRows } from './value-rows.ts';

/** Reading all sessions could take seconds. */
const COUNTED_SESSIONS = 10_000;

/** null: the sessions without a value. */
interface SessionGroup {
  value: string | null;
  count: number;
}

/** `metadata`: by its keys. `grouping`: by the keys whose values each have a group. A key: by its values. */
export type GroupedBy = 'metadata' | 'grouping' | { key: string } | { field: KnownField };

/** Returns the `most` largest groups, the largest first, among 10,000 sessions, the newest unless words are searched. */
export async function groupSessions(
  workspaceId: string,
  filter: ListedFilter,
  by: GroupedBy,
  most: number,
): Promise<SessionGroup[]> {
  const [values, binding] = valuesOf(by, filter.values);
  if (binding === undefined) return [];
  const listed = SessionModel.query().select('sessions.id', 'sessions.metadata').limit(COUNTED_SESSIONS);
  const sessions = selectSessions(listed, workspaceId, filter);
  // The index of words has no order.
  if (filter.q === undefined) sessions.orderBy('sessions.id', 'desc');
  return readRows(
    `select value, count(*) from (?) as listed cross join lateral (${values}) as valued
     group by value ${by === 'grouping' ? `having count(distinct content) <= ${MAX_METADATA_GROUPS}` : ''} order by count(*) desc, value limit ?`,
    [sessions.toKnexQuery(), binding, most],
  );
}

function valuesOf(by: GroupedBy, values?: ValueSource): [sql: string, binding: string | number | undefined] {
  if (by === 'grouping')
    return ['select key as value, content from jsonb_each_text(metadata) pair (key, content) where ?', 'true'];
  if (by === 'metadata') return ['select jsonb_object_keys(metadata) as value where ?', 'true'];
  if ('key' in by) return ['select metadata ->> ? as value', by.key];
  const value = isYesNo(by.field.type) ? 'value_num::integer::boolean::text' : 'coalesce(value_text, value_num::text)';
  return [
    `select ${value} as value from ${valueRows(values, 'listed.id')} given where session_id = listed.id and field_id = ?`,
    by.field.id,
  ];
}
