/**
 * Copies the facts that a list shows of a session into columns of their own. The values they come from can be
 * megabytes, which PostgreSQL would read whole for one name or number in them.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table sessions
      add assistant_name text generated always as (assistant->>'name') stored,
      add llm_model text generated always as (assistant->>'llm_model') stored,
      add language text generated always as (transcript->>'language') stored,
      add audio_duration_s double precision generated always as
        (coalesce((transcript->>'duration_s')::double precision, (audio->>'duration_s')::double precision)) stored,
      add turn_count integer generated always as
        (case json_typeof(conversation) when 'array' then json_array_length(conversation) end) stored;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table sessions drop assistant_name, drop llm_model, drop language, drop audio_duration_s, drop turn_count
  `);
}
