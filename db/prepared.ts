/** Runs statements that PostgreSQL plans once for each connection: those that every session runs, with a fixed text. */
import { Model } from 'objection';
import type { QueryBuilder } from 'objection';
import type { Knex } from 'knex';
import { PREPARED } from './pg-client.ts';

/** Runs a statement and returns its rows. */
export async function runPrepared<T>(sql: string, bindings: Knex.RawBinding[] | Knex.ValueDict): Promise<T[]> {
  const { rows } = await Model.knex().raw<{ rows: T[] }>(sql, bindings).options(PREPARED);
  return rows;
}

/** Returns the query, to be prepared. */
export function prepared<Q extends QueryBuilder<Model, unknown>>(query: Q): Q {
  return query.onBuildKnex((builder) => void builder.options(PREPARED));
}
