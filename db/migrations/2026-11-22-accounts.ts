/** Accounts that an operator disables, and API tokens that may do some things only. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Since when nobody gets in; null: the account is in use.
    alter table users add disabled_at timestamptz(3);
    -- null: the token may do everything.
    alter table api_keys add scopes text[], add last_used_address text;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table api_keys drop scopes, drop last_used_address;
    alter table users drop disabled_at;
  `);
}
