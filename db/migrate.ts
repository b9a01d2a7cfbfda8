/** Brings the schema up to date. */
import type { Knex } from 'knex';
import * as initial from './migrations/2026-11-21-initial.ts';
import * as logins from './migrations/2026-11-22-logins.ts';
import * as budgets from './migrations/2026-11-22-budgets.ts';

interface Migration {
  up(db: Knex): Promise<void>;
  down(db: Knex): Promise<void>;
}

/** In order; a name once released never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '2026-11-21-initial': initial,
  '2026-11-22-logins': logins,
  '2026-11-22-budgets': budgets,
};

/** Listed here and not read from the folder: what runs is what was reviewed and type-checked. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name) => name,
  getMigration: async (name) => MIGRATIONS[name] as Migration,
};

/**
 * Safe to run by several processes at once, and after one was killed in the middle: PostgreSQL drops its lock with the
 * connection, while Knex's own lock row would stay for ever.
 */
export async function migrate(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    await db.migrate.forceFreeMigrationsLock({ migrationSource });
    await db.migrate.latest({ migrationSource });
  });
}

/** Any number that no other user of the database takes. */
const MIGRATION_LOCK = 7_240_931;

export async function isMigrated(db: Knex): Promise<boolean> {
  const [, pending] = (await db.migrate.list({ migrationSource })) as [unknown[], unknown[]];
  return pending.length === 0;
}
