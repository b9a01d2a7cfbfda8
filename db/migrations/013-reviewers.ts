/** The role of people who only review, and a scope of its own for exports: tokens that could export keep it. */
import type { Knex } from 'knex';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

const ROLES = "'admin', 'developer', 'analyst', 'reviewer', 'auditor'";
const SCOPES = `'account:read', 'account:write', 'assistants:read', 'assistants:write', 'assistants:webhook', 'requests:write',
  'sessions:read', 'sessions:export', 'sessions:own', 'sessions:reveal', 'sessions:write', 'sessions:delete', 'reviews:write',
  'webhooks:read', 'webhooks:write', 'usage:read', 'audit:read', 'keys:read', 'keys:write', 'budget:write'`;

export async function up(db: Knex): Promise<void> {
  for (const [table, constraint, condition] of [
    ['memberships', 'memberships_role_known', `role in ('owner', ${ROLES})`],
    ['invitations', 'invitations_role_known', `role in ('owner', ${ROLES})`],
    ['group_roles', 'group_roles_role_known', `role in (${ROLES})`],
    ['api_keys', 'api_keys_scopes_known', `scopes <@ array[${SCOPES}]`],
  ] as const) {
    await db.raw(`alter table ${table} drop constraint if exists ${constraint}`);
    await db.raw(`alter table ${table} add constraint ${constraint} check (${condition}) not valid`);
    await db.raw(`alter table ${table} validate constraint ${constraint}`);
  }
  await db.raw(`update api_keys set scopes = scopes || array['sessions:export']
    where 'sessions:read' = any(scopes) and not 'sessions:export' = any(scopes)`);
}
