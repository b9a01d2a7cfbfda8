/** Pages of sessions in other orders than newest first. */
import type { SessionSort } from '../../contract/values/constants.ts';
import type { SessionModel } from '../models/session.ts';
import { toPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Sessions } from './filter-sessions.ts';

/** The values of ended sessions, whose cost and length no longer change. Each has an index. */
const VALUES: Partial<Record<SessionSort, { sql: string; type: string }>> = {
  total_cost: { sql: 'total_cost', type: 'numeric' },
  // As in the index.
  length: { sql: 'coalesce(audio_duration_s, turn_count, 0)', type: 'double precision' },
};

const valueOf = (sort: SessionSort) => VALUES[sort.replace('-', '') as SessionSort];

/** Returns whether the cursors of this order have a value before the ID. */
export const hasValueCursor = (sort: SessionSort): boolean => valueOf(sort) !== undefined;

/** Returns one page of the query in this order. Rows of equal value are in the order of their IDs. */
export async function sortSessions(
  query: Sessions,
  sort: SessionSort,
  { limit, cursor }: PageRequest,
): Promise<Page<SessionModel>> {
  const [direction, after] = sort.startsWith('-') ? (['desc', '<'] as const) : (['asc', '>'] as const);
  const value = valueOf(sort);
  if (value === undefined) {
    if (cursor !== undefined) query.where('sessions.id', after, cursor);
    return toPage(await query.orderBy('sessions.id', direction).limit(limit + 1), limit, ({ id }) => id);
  }
  query.whereNotNull('completed_at').select(query.modelClass().raw(`(${value.sql})::text as sorted_by`));
  if (cursor !== undefined)
    query.whereRaw(`(${value.sql}, sessions.id) ${after} (?::${value.type}, ?)`, cursor.split(','));
  query.orderByRaw(`${value.sql} ${direction}, sessions.id ${direction}`);
  return toPage(await query.limit(limit + 1), limit, ({ id, sorted_by }) => `${sorted_by},${id}`);
}
