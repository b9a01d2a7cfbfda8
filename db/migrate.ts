import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import * as tables from './migrations/010-shares.ts';
import * as changes from './migrations/021-follow-ups.ts';
import { StartError } from '../runtime/process/process.ts';
import { applyFunctions, areFunctionsApplied, recordFile, type AppliedFile } from './apply-functions.ts';
import { SILENT_LOG } from './connect.ts';

interface Migration {
  /** `transaction: false` for statements such as `create index concurrently`. Such a migration must be repeatable. */
  config?: { transaction: boolean };
  up(db: Knex): Promise<void>;
}

/** The migrations in order. The name of a released migration never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '010-shares': tables,
  '021-follow-ups': changes,
};

/** Releases whose last migration is older can't use this release's schema. */
const OLDEST_RELEASE = '010-shares';

/** Hashes of files that have changed and still do the same: those of `010-shares.ts` and `021-follow-ups.ts`. */
const FORMER_FILES = [
  '34ae32f7523ac89bf90c4d5dfc39ac8d630775848ce49fcdf9c338efdada958f',
  'bb456f65ca3dfe347a6efb7a0efcd200f8c0dfa5ecff0cf5fd4c4c56b34cc764',
];

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
    if (migrations === MIGRATIONS && (await requireUsableSchema(db)).isNewer) return [];
    const config = migratorConfig(migrations);
    await db.migrate.forceFreeMigrationsLock(config);
    const applied: string[] = [];
    let ran: string[];
    do {
      [, ran] = await retryOnLock(() => db.migrate.up(config) as Promise<[number, string[]]>);
      applied.push(...ran);
    } while (ran.length > 0);
    if (migrations !== MIGRATIONS) return applied;
    applied.push(...(await retryOnLock(() => applyFunctions(db))));
    const files = Object.keys(MIGRATIONS).map(async (name) => ({ name, hash: await hashOf(name) }));
    await db<AppliedFile>('sql_functions')
      .insert(await Promise.all(files))
      .onConflict('name')
      .ignore();
    await recordFile(db, { name: OLDEST, hash: OLDEST_RELEASE });
    return applied;
  } catch (error) {
    throw withoutStatement(error);
  } finally {
    await db.destroy();
    await lock.end();
  }
}

/**
 * Throws `StartError` if this release can't use the tables that other code made. Returns whether a newer release made them
 * that this one can use, during an upgrade and after a rollback.
 */
export async function requireUsableSchema(db: Knex): Promise<{ isNewer: boolean }> {
  const applied = await listApplied(db);
  const hasFiles = await db.schema.hasTable('sql_functions');
  const files = new Map(hasFiles ? (await db<AppliedFile>('sql_functions')).map(({ name, hash }) => [name, hash]) : []);
  const own = Object.keys(MIGRATIONS);
  const last = own.at(-1) ?? '';
  if ((files.get(OLDEST) ?? '') > last) {
    throw new StartError(
      'A newer release made the tables of this database, and this release can no longer use them: run the newer one, or restore a backup of this one.',
    );
  }
  for (const name of own) {
    const hash = applied.has(name) && files.get(name);
    if (hash && !FORMER_FILES.includes(hash) && hash !== (await hashOf(name))) throw madeByOthers();
  }
  return { isNewer: [...applied].some((name) => name > last) };
}

/** Name under which the oldest release that can use the schema is stored beside the hashes. */
const OLDEST = 'oldest release';

const madeByOthers = () =>
  new StartError(
    "A development version made the tables of this database, and they can't be upgraded: use another database (with npm start, another DATA_DIR), or run that version to read it.",
  );

/** Returns the hash of the files of a migration. */
async function hashOf(name: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [`${name}.ts`, ...(name === '010-shares' ? ['tables.sql'] : [])]) {
    hash.update(await readFile(new URL(`migrations/${file}`, import.meta.url)));
  }
  return hash.digest('hex');
}

/** Syntax error or access rule violation: tables or columns are missing or exist already. */
const WRONG_TABLES = /^42/;

/** Returns the error without the statement that Knex puts in front of it. */
function withoutStatement(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code = '' } = error;
  error.message = error.message.split(' - ').at(-1) ?? '';
  if (code === INSUFFICIENT_PRIVILEGE)
    return new StartError(
      `The role of DATABASE_URL must own its database, as deploy/postgres-roles.sh creates it: ${error.message}.`,
    );
  if (WRONG_TABLES.test(code)) return madeByOthers();
  return error;
}

const INSUFFICIENT_PRIVILEGE = '42501';

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
  const applied = await listApplied(db);
  const areApplied = Object.keys(migrations).every((name) => applied.has(name));
  return areApplied && (migrations !== MIGRATIONS || (await areFunctionsApplied(db)));
}

/** Knex's own list would create its tables, which fails if two processes do it at once. */
async function listApplied(db: Knex): Promise<Set<string>> {
  if (!(await db.schema.hasTable(MIGRATIONS_TABLE))) return new Set();
  return new Set(await db(MIGRATIONS_TABLE).pluck<string[]>('name'));
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
