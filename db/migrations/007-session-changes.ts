/** When each session last changed after its first end, for readers that keep a copy. db/functions/note-change.sql updates it. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`create table session_changes (
    session_id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces on delete cascade,
    updated_at timestamptz(3) not null,
    -- The row outlives its session for a year.
    deleted boolean not null default false
  ) with (fillfactor = 70)`);
  await db.raw(`insert into session_changes (session_id, workspace_id, updated_at)
    select id, workspace_id, completed_at from sessions where completed_at is not null`);
  await db.raw(
    'create index session_changes_in_order on session_changes (workspace_id, deleted, updated_at, session_id)',
  );
  await db.raw('create index session_changes_deleted on session_changes (updated_at) where deleted');
}
