/** What a provider said about a call that it refused. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table provider_calls add column provider_message text');
}
