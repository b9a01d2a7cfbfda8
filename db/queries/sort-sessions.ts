/** Pages of sessions in other orders than newest first. */
import type { SessionSort } from '../../contract/values/session-lists.ts';
import type { SessionModel } from '../models/session.ts';
import { followRows, isTimeCursor, toPage, type Page, type PageRequest } from '../page.ts';
import { OCCURRED, type Sessions } from './filter-sessions.ts';

interface SortedValue {
  sql: string;
  /** The value in cursors, a number. Default: the value. */
  shown?: string;
  /** SQL for the value of a cursor. */
  read: string;
}

/** Values that only a retry changes. Each has an index with the same expression. All but the first are those of ended sessions. */
const VALUES: Partial<Record<SessionSort, SortedValue>> = {
  occurred_at: {
    sql: OCCURRED('sessions'),
    shown: `cast(extract(epoch from ${OCCURRED('sessions')}) * 1000 as bigint)`,
    read: 'cast(to_timestamp(?::double precision / 1000) as timestamptz(3))',
  },
  completed_at: {
    sql: 'completed_at',
    shown: 'cast(extract(epoch from completed_at) * 1000 as bigint)',
    read: 'cast(to_timestamp(?::double precision / 1000) as timestamptz(3))',
  },
  total_cost: { sql: 'total_cost', read: '?::numeric' },
  length: { sql: 'coalesce(audio_duration_s, turn_count, 0)', read: '?::double precision' },
};

const valueOf = (sort: SessionSort) => VALUES[sort.replace('-', '') as SessionSort];

/** Orders that a reader can follow: each row of a list comes once, and again when its time changes. */
const FOLLOWED: Partial<Record<SessionSort, { time: string; id: string }>> = {
  created_at: { time: 'sessions.created_at', id: 'sessions.id' },
  completed_at: { time: 'sessions.completed_at', id: 'sessions.id' },
  updated_at: { time: 'changed.updated_at', id: 'changed.changed_id' },
};

const CHANGED = `join (
  select session_id as changed_id, updated_at from session_changes where workspace_id = ? and not deleted
) changed on changed.changed_id = sessions.id`;

/** Numbers that PostgreSQL can read in any type. */
const VALUE_CURSOR = /^\d{1,20}(?:\.\d{1,30})?(?:e[+-]?\d{1,2})?,/;

/** Returns whether a cursor can belong to this order: it has a time, another number or nothing before the ID. */
export function isCursorOf(sort: SessionSort | undefined, cursor: string): boolean {
  if (sort && (FOLLOWED[sort] ?? sort === '-completed_at')) return isTimeCursor(cursor);
  return sort && valueOf(sort) ? VALUE_CURSOR.test(cursor) : !cursor.includes(',');
}

/** PostgreSQL keeps this function the same in all releases, because the partitions of tables depend on it. */
const RANDOM = 'hashtextextended(sessions.id, ?)';

/**
 * Returns one page in a random order that the seed chooses. The cursor is an ID.
 * Chooses the rows by their IDs alone, because reading whole rows to sort them would take three times as long.
 * @param matching selects the IDs to choose from.
 */
export async function shuffleSessions(
  query: Sessions,
  matching: Sessions,
  { limit, cursor, seed = 0 }: PageRequest & { seed?: number | undefined },
): Promise<Page<SessionModel>> {
  if (cursor !== undefined)
    matching.whereRaw(`(${RANDOM}, sessions.id) > (hashtextextended(?, ?), ?)`, [seed, cursor, seed, cursor]);
  const inOrder = (sessions: Sessions) => sessions.orderByRaw(`${RANDOM}, sessions.id`, [seed]);
  const rows = await inOrder(query.whereIn('sessions.id', inOrder(matching).limit(limit + 1)));
  return toPage(rows, limit, ({ id }) => id);
}

/** Returns one page of the query in this order. Rows of equal value are in the order of their IDs. */
export async function sortSessions(
  query: Sessions,
  workspaceId: string,
  sort: Exclude<SessionSort, 'random'>,
  { limit, cursor }: PageRequest,
): Promise<Page<SessionModel>> {
  const followed = FOLLOWED[sort];
  if (followed) {
    if (sort === 'completed_at') query.whereNotNull(sort);
    if (sort === 'updated_at') query.joinRaw(CHANGED, [workspaceId]);
    return followRows(query, { ...followed, prefix: 'sess' }, { limit, cursor });
  }
  const [direction, after] = sort.startsWith('-') ? (['desc', '<'] as const) : (['asc', '>'] as const);
  const value = valueOf(sort);
  if (value === undefined) {
    if (cursor !== undefined) query.where('sessions.id', after, cursor);
    return toPage(await query.orderBy('sessions.id', direction).limit(limit + 1), limit, ({ id }) => id);
  }
  if (!sort.endsWith('occurred_at')) query.whereNotNull('completed_at');
  query.select(query.modelClass().raw(`(${value.shown ?? value.sql})::text as sorted_by`));
  if (cursor !== undefined)
    query.whereRaw(`(${value.sql}, sessions.id) ${after} (${value.read}, ?)`, cursor.split(','));
  query.orderByRaw(`${value.sql} ${direction}, sessions.id ${direction}`);
  return toPage(await query.limit(limit + 1), limit, ({ id, sorted_by }) => `${sorted_by},${id}`);
}
