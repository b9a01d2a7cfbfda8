import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import * as initial from './migrations/001-initial.ts';
import * as reasons from './migrations/002-reasons.ts';
import * as storedRecordings from './migrations/003-stored-recordings.ts';
import * as failedReceivers from './migrations/004-failed-receivers.ts';
import { applyFunctions, areFunctionsApplied } from './apply-functions.ts';
import { SILENT_LOG } from './connect.ts';

interface Migration {
  /** `transaction: false` for statements such as `create index concurrently`. Such a migration must be repeatable. */
  config?: { transaction: boolean };
  up(db: Knex): Promise<void>;
}

/** The migrations in order. The name of a released migration never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-initial': initial,
  '002-reasons': reasons,
  '003-stored-recordings': storedRecordings,
  '004-failed-receivers': failedReceivers,
};

interface MigrateOptions {
  migrations?: Record<string, Migration>;
  /** Maximum time that a statement waits for a lock. Other statements queue behind it. */
  lockTimeoutMs?: number;
}

/**
 * Migrates the schema while the service runs, each migration in its own transaction. Several processes may run it at once,
 * and after one was killed: PostgreSQL releases the lock with the connection, while Knex's own lock row would remain.
 * Throws the error of a failed migration; earlier migrations remain applied. Returns the names of what this process applied.
 */
export async function migrate(
  databaseUrl: string,
  { migrations = MIGRATIONS, lockTimeoutMs = 3_000 }: MigrateOptions = {},
): Promise<string[]> {
  const lock = await takeLock(databaseUrl);
  const db = connectMigrator(databaseUrl, lockTimeoutMs);
  try {
    const config = migratorConfig(migrations);
    await db.migrate.forceFreeMigrationsLock(config);
    const applied: string[] = [];
    let ran: string[];
    do {
      [, ran] = await retryOnLock(() => db.migrate.up(config) as Promise<[number, string[]]>);
      applied.push(...ran);
    } while (ran.length > 0);
    return migrations === MIGRATIONS ? [...applied, ...(await retryOnLock(() => applyFunctions(db)))] : applied;
  } finally {
    await db.destroy();
    await lock.end();
  }
}

/**
 * Returns a connection that holds the migration lock. It polls, because a waiting statement would hold a snapshot, and
 * `create index concurrently` waits for all snapshots.
 */
async function takeLock(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: APPLICATION_NAME });
  client.on('error', () => undefined); // its statements fail too
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

/** Repeats a migration that did not get a lock in time. The pause lets waiting statements run. */
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

/** Knex's default name. */
const MIGRATIONS_TABLE = 'knex_migrations';

/** Key of the advisory lock: an arbitrary number. */
const MIGRATION_LOCK = 7_240_931;

/**
 * Returns whether every migration of this release has run. Migrations of a newer release are ignored, so that this release
 * runs during an upgrade and after a rollback.
 */
export async function isMigrated(db: Knex, migrations = MIGRATIONS): Promise<boolean> {
  // Knex's own list would create its tables, which fails if two processes do it at once.
  if (!(await db.schema.hasTable(MIGRATIONS_TABLE))) return false;
  const applied = new Set(await db(MIGRATIONS_TABLE).pluck<string[]>('name'));
  const areApplied = Object.keys(migrations).every((name) => applied.has(name));
  return areApplied && (migrations !== MIGRATIONS || (await areFunctionsApplied(db)));
}

function migratorConfig(migrations: Record<string, Migration>): Knex.MigratorConfig {
  const migrationSource: Knex.MigrationSource<string> = {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name) => name,
    // Knex requires `down`. A faulty migration is fixed by another migration.
    getMigration: async (name) => ({
      ...(migrations[name] as Migration),
      down: () => Promise.reject(new Error('Migrations are not reversible.')),
    }),
  };
  return { migrationSource, disableMigrationsListValidation: true };
}

/** Connects with a timeout for locks, but none for statements. */
function connectMigrator(databaseUrl: string, lockTimeoutMs: number): Knex {
  return knex({
    client: 'pg',
    log: SILENT_LOG,
    connection: {
      connectionString: databaseUrl,
      application_name: APPLICATION_NAME,
      options: `-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=${lockTimeoutMs}`,
    },
    pool: { min: 0, max: 2 },
    compileSqlOnError: false,
  });
}
