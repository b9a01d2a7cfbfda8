/** Creates a database for this process on the run's PostgreSQL and binds the models to it. */
import type { Knex } from 'knex';
import { Model } from 'objection';
import pg from 'pg';
import { connectDatabase } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { runnerName, serverAddress } from './run.ts';

interface TestDatabase {
  db: Knex;
  url: string;
}

/** The product's timeouts of 2 and 3 s are too short for a machine on which several test runs load the processor. */
const PATIENCE = 10;

let current: TestDatabase | undefined;

/**
 * Creates the database on the first call. It is removed at the end of the run. With one connection, a statement outside the
 * transaction of its caller waits for itself and fails.
 */
export async function startTestDatabase(): Promise<void> {
  if (current) return;
  const url = await createDatabase(await serverAddress('postgres'), runnerName());
  await migrate(url);
  current = { db: connectDatabase({ url, poolMax: 1, patience: PATIENCE }), url };
}

/**
 * Returns whether the statement can be repeated: after a deadlock, and on a connection from the time in which a test made the
 * database read-only, which leaves the pool.
 */
export function isPassing(error: unknown): boolean {
  const { nativeError, code } = error as { nativeError?: { code?: string }; code?: string };
  return ['40P01', '25006'].includes(nativeError?.code ?? code ?? '');
}

/** Returns how many statements wait for a lock in this process's database. */
export async function countLockWaits(): Promise<number> {
  const waiting = testDatabase().db('pg_stat_activity').where({ wait_event_type: 'Lock' });
  return (await waiting.whereRaw('datname = current_database()')).length;
}

let many: Knex | undefined;

/** Gives the tests of a block several connections, as a whole service and tests of concurrent transactions need them. */
export function useConnections(): void {
  let single: Knex;
  const use = (db: Knex) => {
    testDatabase().db = db;
    Model.knex(db);
  };
  before(() => {
    single = testDatabase().db;
    many ??= connectDatabase({ url: testDatabase().url, poolMax: 20, patience: PATIENCE });
    use(many);
  });
  after(() => use(single));
}

/** Gives the tests of a block an own database, in which only they store rows, with several connections. */
export function useOwnDatabase(name: string): void {
  let shared: TestDatabase;
  before(async () => {
    shared = { ...testDatabase() };
    const url = await createDatabase(await serverAddress('postgres'), `${runnerName()}_${name}`);
    await migrate(url);
    Object.assign(testDatabase(), { url, db: connectDatabase({ url, poolMax: 20, patience: PATIENCE }) });
  });
  after(async () => {
    await testDatabase().db.destroy();
    Object.assign(testDatabase(), shared);
    Model.knex(shared.db);
  });
}

/** Returns the URL of a new, empty database on the server at `serverUrl`. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export function testDatabase(): TestDatabase {
  if (!current) throw new Error('the database is made by test/support/hooks.ts');
  return current;
}

/** Returns the rows of every table that contain one of the texts in any column, as `table (row)`. */
export async function findRows(texts: readonly string[]): Promise<string[]> {
  const { db } = testDatabase();
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const ofTable = 'select ? || row::text as found from ?? row where row::text like any (?)';
  const patterns = texts.map((text) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  const { rows } = await db.raw<{ rows: { found: string }[] }>(
    tables.map(() => ofTable).join(' union all '),
    tables.flatMap(({ name }) => [`${name} `, name, patterns]),
  );
  return rows.map(({ found }) => found).sort();
}

/** Returns the tables that contain the text in any column. */
export async function findTables(text: string): Promise<string[]> {
  return [...new Set((await findRows([text])).map((row) => row.split(' ')[0] ?? ''))];
}
