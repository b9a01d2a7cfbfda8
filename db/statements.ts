/** Runs prepared statements and snapshots, and takes times from the database's clock. */
import type { Knex } from 'knex';
import { Model, raw, type TransactionOrKnex } from 'objection';
import { PREPARED } from './pg-client.ts';

/** A row for a response `T`: its texts may be dates. */
export type RowOf<T> = { [K in keyof T]: string extends T[K] ? T[K] | Date : T[K] };

type Bindings = Knex.RawBinding[] | Knex.ValueDict;

/** Runs a statement, and returns its rows. */
export async function readRows<Rows extends object[]>(
  sql: string,
  bindings: Bindings = [],
  trx: TransactionOrKnex = Model.knex(),
): Promise<Rows> {
  const { rows } = await trx.raw<{ rows: Rows }>(sql, bindings);
  return rows;
}

/** Runs a statement that PostgreSQL parses once per connection, and returns its rows. Only for frequent, constant texts. */
export async function runPrepared<T>(
  sql: string,
  bindings: Bindings,
  trx: TransactionOrKnex = Model.knex(),
): Promise<T[]> {
  const { rows } = await trx.raw<{ rows: T[] }>(sql, bindings).options(PREPARED);
  return rows;
}

/** Number of rows that one statement of `deleteInSteps` removes. */
const STEP = 1_000;

/** Deletes rows in steps, because a single statement could exceed the statement timeout. Returns their number. */
export async function deleteInSteps(table: string, where: string, bindings: Knex.RawBinding[] = []): Promise<number> {
  const sql = `delete from ?? where ctid in (select ctid from ?? where ${where} limit ?)`;
  for (let removed = 0; ;) {
    const { rowCount } = await Model.knex().raw<{ rowCount: number }>(sql, [table, table, ...bindings, STEP]);
    removed += rowCount;
    if (rowCount < STEP) return removed;
  }
}

/** Runs several reads that all see the same state of the database. */
export function inSnapshot<T>(read: (trx: Knex.Transaction) => PromiseLike<T>): Promise<T> {
  return Model.knex().transaction(async (trx) => read(trx), { isolationLevel: 'repeatable read', readOnly: true });
}

/** Returns the time of the transaction plus `ms` milliseconds, for a column. Other clocks differ from the database's. */
export const inMs = (ms: number) => raw("now() + ? * interval '1 millisecond'", ms) as unknown as Date;

/** Returns the time of the transaction, for a column. */
export const now = () => raw('now()') as unknown as Date;

/** Returns the time of the statement, which may be long after the transaction began, for a column. */
export const clock = () => raw('clock_timestamp()') as unknown as Date;
