/** Fields of assistants, how they were asked for, and which models refused the schema of which fields. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table assistants add fields jsonb;
    alter table sessions add field_encoding text;
    create table schema_refusals (
      provider text collate "C" not null,
      model text collate "C" not null,
      schema_hash text collate "C" not null,
      refused_at timestamptz(3) not null default now(),
      primary key (provider, model, schema_hash)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table schema_refusals;
    alter table sessions drop field_encoding;
    alter table assistants drop fields;
  `);
}
