/**
 * Numbers the states of an assistant's settings that decide a result. What exists is version 1; a release that knows no
 * versions goes on without making any.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table assistants
      add version integer not null default 1,
      -- null: the version was made with the assistant.
      add version_created_at timestamptz(3),
      add restored_from integer;

    -- The versions that another one followed; the present one is the assistant's row. Rows are only ever added.
    create table assistant_versions (
      assistant_id text collate "C" not null references assistants on delete cascade,
      version integer not null,
      settings json not null,
      restored_from integer,
      created_at timestamptz(3) not null,
      primary key (assistant_id, version)
    );

    -- null: from before there were versions, or analyzed with settings that are no version.
    alter table sessions add assistant_version integer;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table sessions drop assistant_version;
    drop table assistant_versions;
    alter table assistants drop version, drop version_created_at, drop restored_from;
  `);
}
