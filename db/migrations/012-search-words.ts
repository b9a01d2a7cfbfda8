/** Whether the stored words of a session are in the normal form. `renewSearchWords` stores the others again. */
import type { Knex } from 'knex';

/** `create index concurrently` can't run in a transaction. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table session_words add column if not exists is_normal boolean');
  await db.raw('drop index concurrently if exists session_words_former');
  await db.raw(
    'create index concurrently if not exists session_words_former on session_words (session_id) where is_normal is null',
  );
}
