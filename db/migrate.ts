/** Brings the schema up to date. */
import { setTimeout as sleep } from 'node:timers/promises';
import knex from 'knex';
import type { Knex } from 'knex';
import pg from 'pg';
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
import * as fallbacks from './migrations/2026-11-22-fallbacks.ts';
import * as batches from './migrations/2026-11-22-batches.ts';
import * as batchLimits from './migrations/2026-11-22-batch-limits.ts';
import * as trialsFound from './migrations/2026-11-22-trials-found.ts';
import * as trials from './migrations/2026-11-22-trials.ts';
import * as outages from './migrations/2026-11-22-outages.ts';
import * as sessionFields from './migrations/2026-11-22-session-fields.ts';
import * as sessionFieldsFilled from './migrations/2026-11-22-session-fields-filled.ts';
import * as fewerStatements from './migrations/2026-11-22-fewer-statements.ts';
import * as fewerCommits from './migrations/2026-11-22-fewer-commits.ts';
import * as roles from './migrations/2026-11-22-roles.ts';

interface Migration {
  /** `transaction: false` for what PostgreSQL refuses in one, such as `create index concurrently`: it must be repeatable. */
  config?: { transaction: boolean };
  up(db: Knex): Promise<void>;
  down(db: Knex): Promise<void>;
}

/** The migrations in the order in which they run. The name of a released one never changes. */
export const MIGRATIONS: Record<string, Migration> = {
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
  '2026-11-22-outages': outages,
  '2026-11-22-fallbacks': fallbacks,
  '2026-11-22-session-fields': sessionFields,
  '2026-11-22-session-fields-filled': sessionFieldsFilled,
  '2026-11-22-batches': batches,
  '2026-11-22-fewer-statements': fewerStatements,
  '2026-11-22-roles': roles,
  '2026-11-22-trials': trials,
  '2026-11-22-fewer-commits': fewerCommits,
  '2026-11-22-batch-limits': batchLimits,
  '2026-11-22-trials-found': trialsFound,
};

export interface MigrateOptions {
  migrations?: Record<string, Migration>;
  /** Longest time that a statement waits for a lock: whoever comes after it waits as well. */
  lockTimeoutMs?: number;
}

/**
 * Brings the schema up to date beside a running service, each migration in a transaction of its own. Safe to run by
 * several processes at once, and after one was killed in the middle: PostgreSQL drops the lock with the connection, while
 * Knex's own lock row would stay for ever. Throws what a migration failed with; what was migrated before it stays.
 */
export async function migrate(
  databaseUrl: string,
  { migrations = MIGRATIONS, lockTimeoutMs = 3_000 }: MigrateOptions = {},
): Promise<void> {
  const lock = await takeLock(databaseUrl);
  const db = connectMigrator(databaseUrl, lockTimeoutMs);
  try {
    const config = migratorConfig(migrations);
    await db.migrate.forceFreeMigrationsLock(config);
    let ran: unknown[];
    do [, ran] = await retryOnLock(() => db.migrate.up(config) as Promise<[number, unknown[]]>);
    while (ran.length > 0);
  } finally {
    await db.destroy();
    await lock.end();
  }
}

/**
 * Returns the connection that holds the migrations' lock. It asks again and again and does not wait in a statement, which
 * would keep a snapshot: an index that is built concurrently waits for all of those to end.
 */
async function takeLock(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: APPLICATION_NAME });
  client.on('error', () => undefined); // the statements fail as well
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.is_ours) return client;
    await sleep(LOCK_POLL_MS);
  }
}

const LOCK_POLL_MS = 500;
const MAX_TRIES = 10;
const MAX_PAUSE_MS = 5_000;

/** Repeats a migration that did not get its lock in time; a pause lets those who waited behind it pass. */
async function retryOnLock<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || tries === MAX_TRIES) throw error;
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
}

/** Appendix A of PostgreSQL's manual. */
const LOCK_NOT_AVAILABLE = '55P03';

const APPLICATION_NAME = 'conversation-analysis migration';

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

/** Connects with a bound on locks and none on time: a migration may take as long as it needs. */
function connectMigrator(databaseUrl: string, lockTimeoutMs: number): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: databaseUrl,
      application_name: APPLICATION_NAME,
      options: `-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${lockTimeoutMs}`,
    },
    pool: { min: 0, max: 2 },
    compileSqlOnError: false,
  });
}
