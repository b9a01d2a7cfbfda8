/** Read-only links to one session or one batch, and their audit events. */
import type { Knex } from 'knex';
import { AUDIT_ACTIONS } from './009-steering.ts';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw(`create table if not exists shares (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces on delete cascade,
    session_id text collate "C" references sessions on delete cascade,
    batch_id text collate "C" references batches on delete cascade,
    created_by text collate "C" not null references users on delete cascade,
    parts text[] not null,
    token_hash bytea not null unique,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    constraint shares_of_one check ((session_id is null) <> (batch_id is null))
  )`);
  for (const [name, columns] of [
    ['shares_of_session', 'session_id'],
    ['shares_of_batch', 'batch_id'],
    ['shares_listed', 'workspace_id, id'],
    ['shares_of_user', 'created_by'],
  ]) {
    await db.raw(`drop index concurrently if exists ${name}`);
    await db.raw(`create index concurrently if not exists ${name} on shares (${columns})`);
  }
  const actions = AUDIT_ACTIONS.replace("'roles_changed'", "'roles_changed', 'share_created', 'share_revoked'");
  await db.raw('alter table audit_events drop constraint if exists audit_events_action_known');
  await db.raw(
    `alter table audit_events add constraint audit_events_action_known check (action in (${actions})) not valid`,
  );
  await db.raw('alter table audit_events validate constraint audit_events_action_known');
}
