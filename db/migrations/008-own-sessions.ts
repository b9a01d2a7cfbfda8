/** The scope of tokens that read only the sessions which they created. */
import type { Knex } from 'knex';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table api_keys drop constraint if exists api_keys_scopes_known');
  await db.raw(`alter table api_keys add constraint api_keys_scopes_known check (scopes <@ array[
    'account:read', 'account:write', 'assistants:read', 'assistants:write', 'assistants:webhook', 'requests:write',
    'sessions:read', 'sessions:own', 'sessions:reveal', 'sessions:write', 'sessions:delete', 'reviews:write', 'webhooks:read',
    'webhooks:write', 'usage:read', 'audit:read', 'keys:read', 'keys:write', 'budget:write'
  ]) not valid`);
  await db.raw('alter table api_keys validate constraint api_keys_scopes_known');
}
