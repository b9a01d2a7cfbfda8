/** Adds the vendors that answer where an assistant's own are away. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Providers and models, null where there is none.
    alter table assistants add fallback jsonb;
    -- The steps that the fallback did; null: none.
    alter table sessions add answered_by json;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table sessions drop answered_by; alter table assistants drop fallback');
}
