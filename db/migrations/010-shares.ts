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
    constraint shares_of_one check (num_nonnulls(session_id, batch_id) = 1)
  )`);
  await db.raw('create index if not exists shares_of_session on shares (session_id)');
  await db.raw('create index if not exists shares_of_batch on shares (batch_id)');
  await db.raw('create index if not exists shares_listed on shares (workspace_id, id)');
  await db.raw('create index if not exists shares_of_user on shares (created_by)');
  const actions = `${AUDIT_ACTIONS}, 'share_created', 'share_revoked'`;
  await db.raw('alter table audit_events drop constraint if exists audit_events_action_known');
  await db.raw(
    `alter table audit_events add constraint audit_events_action_known check (action in (${actions})) not valid`,
  );
  await db.raw('alter table audit_events validate constraint audit_events_action_known');
}
