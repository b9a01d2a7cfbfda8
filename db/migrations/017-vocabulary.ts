/** Terms that a transcription listens for. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table assistants add column vocabulary jsonb');
}
