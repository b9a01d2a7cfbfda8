/** The size of the recordings of a workspace. db/functions/count-recording.sql fills and updates it. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`create table stored_recordings (
    workspace_id text collate "C" primary key references workspaces on delete cascade,
    bytes bigint not null
  ) with (fillfactor = 50)`);
}
