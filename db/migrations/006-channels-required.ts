/** Whether an assistant refuses recordings with another number of channels. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table assistants add column channels_required boolean not null default false');
}
