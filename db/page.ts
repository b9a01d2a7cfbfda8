/** Cursor pagination, newest first: ids sort by time, so a page goes on after the last id seen and new rows never shift it. */
import type { Model, QueryBuilder } from 'objection';

export interface PageRequest {
  /** Undefined: all rows. */
  limit?: number | undefined;
  /** The id of the last row seen. */
  cursor?: string | undefined;
}

export interface Page<T> {
  rows: T[];
  next_cursor: string | null;
}

/** @param query one owner's rows of a table whose `id` is a TypeID. */
export async function findPage<M extends Model & { id: string }>(
  query: QueryBuilder<M, M[]>,
  { limit, cursor }: PageRequest,
): Promise<Page<M>> {
  query.orderBy('id', 'desc');
  if (cursor !== undefined) query.where('id', '<', cursor);
  if (limit === undefined) return { rows: await query, next_cursor: null };
  return toPage(await query.limit(limit + 1), limit);
}

/** @param rows one more than the limit where there are more. */
export function toPage<M extends { id: string }>(rows: readonly M[], limit: number): Page<M> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next_cursor: last?.id ?? null };
}

/** Rows that a sweep reads at once. */
const BATCH = 500;

/** Every row of a query, a batch at a time in the order of their ids. @param select makes the query anew. */
export async function* inBatches<M extends Model & { id: string }>(
  select: () => QueryBuilder<M, M[]>,
): AsyncGenerator<M> {
  let last = '';
  for (;;) {
    const batch = await select().where('id', '>', last).orderBy('id').limit(BATCH);
    yield* batch;
    if (batch.length < BATCH) return;
    last = batch.at(-1)?.id ?? '';
  }
}
