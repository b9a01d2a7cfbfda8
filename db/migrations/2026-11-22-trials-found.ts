/** Adds the index that the few sessions which try settings are found by, while the former release goes on. */
import type { Knex } from 'knex';

export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists sessions_trials');
  await db.raw('create index concurrently if not exists sessions_trials on sessions (user_id, id) where trial');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index if exists sessions_trials');
}
