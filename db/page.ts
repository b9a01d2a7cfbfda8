/** Pages by cursor, newest first. IDs sort by time, so new rows never shift a page. */
import type { Model, QueryBuilder } from 'objection';

export interface PageRequest {
  /** Maximum number of rows. */
  limit: number;
  /** ID of the last row of the previous page; undefined: first page. */
  cursor?: string | undefined;
}

export interface Page<T> {
  rows: T[];
  next_cursor: string | null;
}

/**
 * Returns one page of rows, newest first.
 * @param query rows of one workspace from a table whose `id` is a TypeID.
 */
export async function findPage<M extends Model & { id: string }>(
  query: QueryBuilder<M, M[]>,
  page: PageRequest,
): Promise<Page<M>> {
  return toPage(await selectPage(query, page), page.limit, ({ id }) => id);
}

/** Returns the query for the rows of a page and one more. */
export function selectPage<M extends Model & { id: string }>(
  query: QueryBuilder<M, M[]>,
  { limit, cursor }: PageRequest,
): QueryBuilder<M, M[]> {
  query.orderBy('id', 'desc');
  if (cursor !== undefined) query.where('id', '<', cursor);
  return query.limit(limit + 1);
}

/**
 * Returns the rows as a page.
 * @param rows one more than `limit` if another page follows.
 */
export function toPage<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next_cursor: last === undefined ? null : cursorOf(last) };
}

/** Rows of transactions that still run become visible later. After a minute, a reader no longer waits for them. */
const OPEN_SINCE = `cast((
  select coalesce(min(xact_start), now()) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and xact_start > now() - interval '1 minute'
) as timestamptz(3))`;

/** Returns whether a cursor is of an order by time, and of a time that PostgreSQL can store. */
export const isTimeCursor = (cursor: string): boolean => /^\d{1,14},/.test(cursor);

/** The SQL of an order by time, and the prefix of the IDs. */
interface FollowedBy {
  time: string;
  id: string;
  prefix: 'sess' | 'dlv';
}

/**
 * Returns one page in ascending order of a time. The last page has a cursor too, from which a reader continues with later rows:
 * each row appears once, also if its transaction committed after a later one.
 * The time of a row must never change to an earlier one.
 */
export async function followRows<M extends Model & { id: string; sorted_by?: string }>(
  query: QueryBuilder<M, M[]>,
  { time, id, prefix }: FollowedBy,
  { limit, cursor = `0,${prefix}_${'0'.repeat(26)}` }: PageRequest,
): Promise<Page<M>> {
  const after = `(${time}, ${id}) > (cast(to_timestamp(?::double precision / 1000) as timestamptz(3)), ?)`;
  const rows = await query
    .select(query.modelClass().raw(`cast(extract(epoch from ${time}) * 1000 as bigint)::text as sorted_by`))
    .whereRaw(after, cursor.split(','))
    .whereRaw(`${time} not between ${OPEN_SINCE} and cast(now() as timestamptz(3))`)
    .orderByRaw(`${time}, ${id}`)
    .limit(limit);
  const last = rows.at(-1);
  return { rows, next_cursor: last ? `${last.sorted_by},${last.id}` : cursor };
}

/** Yields the rows of the requested page and of every page after it. */
export async function* eachPage<T>(
  find: (page: PageRequest) => Promise<Page<T>>,
  { limit, cursor: first }: PageRequest,
): AsyncGenerator<T[], undefined> {
  for (let cursor = first; ;) {
    const { rows, next_cursor } = await find({ limit, cursor });
    yield rows;
    // A list in ascending order has a cursor on its last page too.
    if (next_cursor === null || rows.length === 0) return undefined;
    cursor = next_cursor;
  }
}

/** Counts the rows of a query, at most `most`. Objection's `resultSize` ignores limits. */
export async function countUpTo<M extends Model>(query: QueryBuilder<M, M[]>, most: number): Promise<number> {
  const rows = query.limit(most).toKnexQuery().as('counted');
  const [counted] = await query.modelClass().knex().count<{ count: number }[]>('* as count').from(rows);
  return counted?.count ?? 0;
}

/** Narrows a query to rows with these column values and created in this period. Undefined conditions are ignored. */
export function whereGiven<M extends Model>(
  query: QueryBuilder<M, M[]>,
  { created_after, created_before, ...exact }: CreatedFilter & Record<string, string | number | boolean | undefined>,
): QueryBuilder<M, M[]> {
  for (const [column, value] of Object.entries(exact)) if (value !== undefined) query.where(column, value);
  if (created_after !== undefined) query.where('created_at', '>=', created_after);
  if (created_before !== undefined) query.where('created_at', '<', created_before);
  return query;
}

/** Times in ISO 8601; `created_after` is inclusive. */
export interface CreatedFilter {
  created_after?: string | undefined;
  created_before?: string | undefined;
}

/** Number of rows that a sweep reads at once. */
const BATCH = 500;

/**
 * Yields every row of a query in the order of IDs, reading a batch at a time.
 * @param select returns a new query at each call.
 */
export async function* inBatches<M extends Model & { id: string }>(
  select: () => QueryBuilder<M, M[]>,
  size = BATCH,
): AsyncGenerator<M> {
  let last = '';
  for (;;) {
    const batch = await select().where('id', '>', last).orderBy('id').limit(size);
    yield* batch;
    if (batch.length < size) return;
    last = batch.at(-1)?.id ?? '';
  }
}
