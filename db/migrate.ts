/** Brings the schema up to date. */
import knex from 'knex';
import type { Knex } from 'knex';
import * as initial from './migrations/2026-11-21-initial.ts';
import * as changes from './migrations/2026-11-22-changes.ts';
import * as listFilters from './migrations/2026-11-22-list-filters.ts';
import * as stats from './migrations/2026-11-22-stats.ts';
import * as sessionFacts from './migrations/2026-11-22-session-facts.ts';
import * as logins from './migrations/2026-11-22-logins.ts';
import * as accounts from './migrations/2026-11-22-accounts.ts';
import * as audit from './migrations/2026-11-22-audit.ts';
import * as budgets from './migrations/2026-11-22-budgets.ts';
import * as resultFields from './migrations/2026-11-22-result-fields.ts';
import * as workers from './migrations/2026-11-22-workers.ts';
import * as retention from './migrations/2026-11-22-retention.ts';
import * as queue from './migrations/2026-11-22-queue.ts';
import * as metadataAndCost from './migrations/2026-11-22-metadata-and-cost.ts';
import * as quotas from './migrations/2026-11-22-quotas.ts';
import * as assistantVersions from './migrations/2026-11-22-assistant-versions.ts';

interface Migration {
  up(db: Knex): Promise<void>;
  down(db: Knex): Promise<void>;
}

/** The migrations in the order in which they run. The name of a released one never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '2026-11-21-initial': initial,
  '2026-11-22-logins': logins,
  '2026-11-22-budgets': budgets,
  '2026-11-22-changes': changes,
  '2026-11-22-session-facts': sessionFacts,
  '2026-11-22-stats': stats,
  '2026-11-22-queue': queue,
  '2026-11-22-accounts': accounts,
  '2026-11-22-audit': audit,
  '2026-11-22-list-filters': listFilters,
  '2026-11-22-result-fields': resultFields,
  '2026-11-22-metadata-and-cost': metadataAndCost,
  '2026-11-22-workers': workers,
  '2026-11-22-quotas': quotas,
  '2026-11-22-retention': retention,
  '2026-11-22-assistant-versions': assistantVersions,
};

/**
 * Brings the schema up to date. Safe to run by several processes at once, and after one was killed in the middle:
 * PostgreSQL drops its lock with the connection, while Knex's own lock row would stay for ever.
 */
export async function migrate(databaseUrl: string, migrations = MIGRATIONS): Promise<void> {
  const db = connectMigrator(databaseUrl);
  const config = migratorConfig(migrations);
  try {
    await db.transaction(async (trx) => {
      // Another process may be migrating for minutes.
      await trx.raw('set local lock_timeout = 0');
      await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      await db.migrate.forceFreeMigrationsLock(config);
      await db.migrate.latest(config);
    });
  } finally {
    await db.destroy();
  }
}

/** Knex's record of what has run, under its default name. */
const MIGRATIONS_TABLE = 'knex_migrations';

/** Key of the advisory lock: any number that no other user of the database takes. */
const MIGRATION_LOCK = 7_240_931;

/**
 * Returns whether every migration of this release has run. Migrations of a newer release are not looked at, so that
 * this release goes on while the newer one is rolled out and after it was rolled back.
 */
export async function isMigrated(db: Knex, migrations = MIGRATIONS): Promise<boolean> {
  // Not Knex's list: that makes its tables, and two processes that do so at once disturb each other.
  if (!(await db.schema.hasTable(MIGRATIONS_TABLE))) return false;
  const applied = new Set(await db(MIGRATIONS_TABLE).pluck<string[]>('name'));
  return Object.keys(migrations).every((name) => applied.has(name));
}

/**
 * Returns Knex's settings. Migrations are listed and not read from the folder, so that only those run that were
 * reviewed and type-checked.
 */
function migratorConfig(migrations: Record<string, Migration>): Knex.MigratorConfig {
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name) => name,
    getMigration: async (name) => migrations[name] as Migration,
  };
  return { migrationSource, disableMigrationsListValidation: true };
}

/**
 * Connects with a bound on locks and none on time: a migration may take as long as it needs, but one that cannot get
 * its lock would hold up every statement after it. It fails instead and can be run again.
 */
function connectMigrator(databaseUrl: string): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: databaseUrl,
      application_name: 'conversation-analysis migration',
      options: '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=10s',
    },
    pool: { min: 0, max: 2 },
    compileSqlOnError: false,
  });
}
