/**
 * Pages by cursor, newest first. Ids sort by time, so a page begins after the last id seen, and new rows never shift
 * it.
 */
import type { Model, QueryBuilder } from 'objection';

export interface PageRequest {
  /** Most rows of the page. */
  limit: number;
  /** The id of the last row seen; undefined for the first page. */
  cursor?: string | undefined;
}

export interface Page<T> {
  rows: T[];
  next_cursor: string | null;
}

/**
 * Returns one page of rows, newest first.
 * @param query one owner's rows of a table whose `id` is a TypeID.
 */
export async function findPage<M extends Model & { id: string }>(
  query: QueryBuilder<M, M[]>,
  { limit, cursor }: PageRequest,
): Promise<Page<M>> {
  query.orderBy('id', 'desc');
  if (cursor !== undefined) query.where('id', '<', cursor);
  return toPage(await query.limit(limit + 1), limit);
}

/**
 * Returns the rows as a page.
 * @param rows one more than `limit` if another page follows.
 */
export function toPage<M extends { id: string }>(rows: readonly M[], limit: number): Page<M> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next_cursor: last?.id ?? null };
}

/** Yields the rows of the page that is named and of each one after it, all of the same length. */
export async function* eachPage<T>(
  find: (page: PageRequest) => Promise<Page<T>>,
  { limit, cursor: first }: PageRequest,
): AsyncGenerator<T[], undefined> {
  for (let cursor = first; ;) {
    const { rows, next_cursor } = await find({ limit, cursor });
    yield rows;
    if (next_cursor === null) return undefined;
    cursor = next_cursor;
  }
}

/** Number of rows that a sweep reads at once; of rows that can be megabytes it asks for fewer. */
const BATCH = 500;

/**
 * Yields every row of a query, read a batch at a time in the order of ids.
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
