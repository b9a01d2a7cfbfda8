/** Indexes for what lists are filtered by and that only few rows have. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index sessions_by_model on sessions (user_id, llm_model, id);
    create index sessions_by_source on sessions (source_session_id) where source_session_id is not null;
    create index sessions_simulated on sessions (user_id, id) where simulated;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index sessions_by_model, sessions_by_source, sessions_simulated');
}
