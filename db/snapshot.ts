import type { Knex } from 'knex';
import { Model } from 'objection';

/** Runs reads that belong together: all of them see the database as the first one does. */
export function inSnapshot<T>(read: (trx: Knex.Transaction) => PromiseLike<T>): Promise<T> {
  return Model.knex().transaction(async (trx) => read(trx), { isolationLevel: 'repeatable read', readOnly: true });
}
