/** Who created a version of an assistant. Unknown for those that exist. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table assistants add column version_created_by text collate "C"');
  await db.raw('alter table assistant_versions add column created_by text collate "C"');
}
