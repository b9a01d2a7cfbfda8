/** When a conversation took place, if it was not when it was submitted. */
import type { Knex } from 'knex';

/** `create index concurrently` can't run in a transaction. */
export const config = { transaction: false };

/** With the index that lists and counts sessions by this time, and the one that finds assistants with older conversations. */
const INDEXES = {
  sessions_occurred: '(workspace_id, coalesce(occurred_at, created_at), id) include (assistant_id)',
  sessions_imported: '(assistant_id) where occurred_at is not null and source_session_id is null',
};

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sessions add column if not exists occurred_at timestamptz(3)');
  for (const [name, columns] of Object.entries(INDEXES)) {
    // An index that was being built when the process ended is invalid.
    await db.raw(`drop index concurrently if exists ${name}`);
    await db.raw(`create index concurrently if not exists ${name} on sessions ${columns}`);
  }
}
