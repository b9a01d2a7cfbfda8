/** What changed since tables.sql. The name is the last of the eleven migrations that it replaces, which some databases have. */
import type { Knex } from 'knex';

/** Building an index, or adding and validating a constraint in one transaction, would block writes. */
export const config = { transaction: false };

const COLUMNS = [
  'provider_calls add column if not exists provider_message text, add column if not exists tier text collate "C"',
  'session_words add column if not exists is_normal boolean',
  `sessions add column if not exists occurred_at timestamptz(3), add column if not exists skipped_follow_ups jsonb,
    add column if not exists first_session_id text collate "C"`,
  `assistants add column if not exists version_created_by text collate "C", add column if not exists vocabulary jsonb,
    add column if not exists economy boolean not null default false, add column if not exists follow_ups jsonb`,
  'assistant_versions add column if not exists created_by text collate "C"',
];

const INDEXES = {
  session_words_former: 'session_words (session_id) where is_normal is null',
  sessions_occurred: 'sessions (workspace_id, coalesce(occurred_at, created_at), id) include (assistant_id)',
  sessions_imported: 'sessions (assistant_id) where occurred_at is not null and source_session_id is null',
  sessions_of_first: 'sessions (first_session_id) where first_session_id is not null',
};

const ROLES = "'admin', 'developer', 'analyst', 'reviewer', 'auditor'";
const SCOPES = `'account:read', 'account:write', 'assistants:read', 'assistants:write', 'assistants:webhook', 'requests:write',
  'sessions:read', 'sessions:export', 'sessions:own', 'sessions:reveal', 'sessions:write', 'sessions:delete', 'reviews:write',
  'webhooks:read', 'webhooks:write', 'usage:read', 'audit:read', 'keys:read', 'keys:write', 'budget:write'`;
const EVENTS = "'session.completed', 'session.failed', 'session.reviewed'";
const AUDIT_ACTIONS = `'registered', 'login_succeeded', 'login_failed', 'login_ended', 'password_changed', 'password_change_failed',
  'password_reset_asked', 'password_reset_done', 'email_change_asked', 'email_changed', 'email_confirmed', 'identity_proved',
  'proof_failed', 'second_factor_on', 'second_factor_off', 'second_factor_failed', 'recovery_codes_created', 'recovery_code_used',
  'identity_linked', 'identity_unlinked', 'account_disabled', 'account_enabled', 'admin_changed', 'account_exported',
  'account_deleted', 'account_deletion_failed', 'budget_changed', 'token_created', 'token_rolled', 'token_revoked',
  'tokens_revoked', 'scope_refused', 'webhook_changed', 'webhook_blocked', 'assistant_created', 'assistant_changed',
  'assistant_deleted', 'version_restored', 'session_deleted', 'session_reviewed', 'review_deleted', 'originals_revealed',
  'sessions_exported', 'recording_fetched', 'batch_created', 'batch_changed', 'batch_canceled', 'session_canceled',
  'session_retried', 'session_tried', 'session_analyzed', 'roles_changed', 'share_created', 'share_revoked', 'session_changed',
  'workspace_created', 'workspace_changed', 'workspace_deleted', 'workspace_deletion_failed', 'member_invited',
  'invitation_revoked', 'member_joined', 'member_role_changed', 'member_removed', 'member_left'`;

const CONSTRAINTS = [
  ['memberships', 'role_known', `check (role in ('owner', ${ROLES}))`],
  ['invitations', 'role_known', `check (role in ('owner', ${ROLES}))`],
  ['group_roles', 'role_known', `check (role in (${ROLES}))`],
  ['api_keys', 'scopes_known', `check (scopes <@ array[${SCOPES}])`],
  [
    'batches',
    'action_known',
    "check (action in ('reanalyze', 'retry', 'delete', 'redeliver', 'cancel', 'score', 'analyze'))",
  ],
  ['audit_events', 'action_known', `check (action in (${AUDIT_ACTIONS}))`],
  [
    'assistant_fields',
    'type_known',
    "check (type in ('boolean', 'integer', 'number', 'string', 'enum', 'string_list', 'score', 'said'))",
  ],
  ['assistants', 'webhook_events_known', `check (webhook_events <@ array[${EVENTS}])`],
  ['deliveries', 'event_known', `check (event in (${EVENTS}, 'session.alert', 'delivery.failed', 'webhook.test'))`],
  ['sessions', 'first', 'foreign key (first_session_id) references sessions on delete cascade'],
  // A link ends with the membership of its creator, also if the person joins again.
  [
    'shares',
    'of_member',
    'foreign key (created_by, workspace_id) references memberships (user_id, workspace_id) on delete cascade',
  ],
] as const;

export async function up(db: Knex): Promise<void> {
  for (const columns of COLUMNS) await db.raw(`alter table ${columns}`);
  for (const [name, columns] of Object.entries(INDEXES)) {
    // An index that was being built when the process ended is invalid.
    await db.raw(`drop index concurrently if exists ${name}`);
    await db.raw(`create index concurrently if not exists ${name} on ${columns}`);
  }
  for (const [table, name, condition] of CONSTRAINTS) {
    await db.raw(`alter table ${table} drop constraint if exists ${table}_${name}`);
    await db.raw(`alter table ${table} add constraint ${table}_${name} ${condition} not valid`);
    if (table === 'shares')
      await db.raw(`delete from shares where not exists (
        select from memberships where user_id = created_by and memberships.workspace_id = shares.workspace_id)`);
    await db.raw(`alter table ${table} validate constraint ${table}_${name}`);
  }
  // Tokens that could export keep that right, which has a scope of its own now. Once: those made since may lack it on purpose.
  await db.raw(`update api_keys set scopes = scopes || array['sessions:export']
    where 'sessions:read' = any(scopes) and not 'sessions:export' = any(scopes)
      and not exists (select from knex_migrations where name = '013-reviewers')`);
}
