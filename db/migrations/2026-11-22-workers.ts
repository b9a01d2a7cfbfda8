/** The workers there are, each of which says that it lives: docs/operations.md, "Health". */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table workers (
      id text collate "C" primary key,
      host text not null,
      -- null: a worker without a build id, to which Temporal gives runs of every release.
      build_id text,
      started_at timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now()
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table workers');
}
