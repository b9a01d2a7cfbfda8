/** The event of a review, and the audit event of changed metadata. */
import type { Knex } from 'knex';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

/** Those of tables.sql, and `session_changed`. */
export const AUDIT_ACTIONS = `'registered', 'login_succeeded', 'login_failed', 'login_ended', 'password_changed', 'password_change_failed',
  'password_reset_asked', 'password_reset_done', 'email_change_asked', 'email_changed', 'email_confirmed',
  'identity_proved', 'proof_failed', 'second_factor_on', 'second_factor_off', 'second_factor_failed',
  'recovery_codes_created', 'recovery_code_used', 'identity_linked', 'identity_unlinked', 'account_disabled',
  'account_enabled', 'admin_changed', 'account_exported', 'account_deleted', 'account_deletion_failed', 'budget_changed',
  'token_created', 'token_rolled', 'token_revoked', 'tokens_revoked', 'scope_refused', 'webhook_changed',
  'webhook_blocked', 'assistant_created', 'assistant_changed', 'assistant_deleted', 'version_restored', 'session_deleted',
  'session_reviewed', 'review_deleted', 'originals_revealed', 'sessions_exported', 'recording_fetched', 'batch_created',
  'batch_changed', 'batch_canceled', 'session_canceled', 'session_retried', 'session_tried', 'roles_changed', 'share_created',
  'share_revoked', 'session_changed', 'workspace_created', 'workspace_changed', 'workspace_deleted',
  'workspace_deletion_failed', 'member_invited', 'invitation_revoked', 'member_joined', 'member_role_changed', 'member_removed',
  'member_left'`;
const EVENTS = "'session.completed', 'session.failed', 'session.reviewed'";

const CHECKS = [
  ['audit_events', 'action_known', `action in (${AUDIT_ACTIONS})`],
  ['assistants', 'webhook_events_known', `webhook_events <@ array[${EVENTS}]`],
  ['deliveries', 'event_known', `event in (${EVENTS}, 'session.alert', 'delivery.failed', 'webhook.test')`],
] as const;

export async function up(db: Knex): Promise<void> {
  for (const [table, name, condition] of CHECKS) {
    await db.raw(`alter table ${table} drop constraint if exists ${table}_${name}`);
    await db.raw(`alter table ${table} add constraint ${table}_${name} check (${condition}) not valid`);
    await db.raw(`alter table ${table} validate constraint ${table}_${name}`);
  }
}
