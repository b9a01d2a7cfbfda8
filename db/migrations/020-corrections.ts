/** The event of a review, and the audit event of changed metadata. */
import type { Knex } from 'knex';
import { AUDIT_ACTIONS as FORMER_ACTIONS } from './009-steering.ts';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

export const AUDIT_ACTIONS = FORMER_ACTIONS.replace(
  "'roles_changed'",
  "'roles_changed', 'share_created', 'share_revoked', 'session_changed'",
);
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
