/** Fields that no model answers, and batches that compute scores again. */
import type { Knex } from 'knex';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  for (const [table, column, added] of [
    ['batches', 'action', "'reanalyze', 'retry', 'delete', 'redeliver', 'cancel', 'score'"],
    ['assistant_fields', 'type', "'boolean', 'integer', 'number', 'string', 'enum', 'string_list', 'score', 'said'"],
  ]) {
    const name = `${table}_${column}_known`;
    await db.raw(`alter table ${table} drop constraint if exists ${name}`);
    await db.raw(`alter table ${table} add constraint ${name} check (${column} in (${added})) not valid`);
    await db.raw(`alter table ${table} validate constraint ${name}`);
  }
}
