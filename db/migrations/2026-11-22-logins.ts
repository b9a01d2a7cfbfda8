/** Adds logins, by cookie or token, each of which can be listed and ended. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table logins (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      kind text not null,
      -- SHA-256 of the cookie's value, or of the token's jti.
      secret_hash bytea not null unique,
      -- That of the user when the login was made: after a password change it counts no more.
      credentials_version integer not null,
      address text not null,
      user_agent text,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      ended_at timestamptz(3)
    );
    create index on logins (user_id, id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table logins');
}
