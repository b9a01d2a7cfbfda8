/** One real PostgreSQL for the run, in a folder of its own; the models are bound to it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { connectDatabase } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { startPostgres } from '../../local/postgres.ts';
import type { RunningPostgres } from '../../local/postgres.ts';
import { silentLog } from './log.ts';

interface TestDatabase {
  db: Knex;
  url: string;
}

let current: TestDatabase | undefined;
let server: RunningPostgres | undefined;
let directory = '';

export async function startTestDatabase(): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'cas-test-'));
  mkdirSync(join(directory, 'run'));
  server = await startPostgres({ directory, password: randomUUID(), log: silentLog });
  await migrate(server.databaseUrl);
  const db = connectDatabase({ url: server.databaseUrl, poolMax: 20 });
  current = { db, url: server.databaseUrl };
}

export async function stopTestDatabase(): Promise<void> {
  await current?.db.destroy();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
}

export function testDatabase(): TestDatabase {
  if (!current) throw new Error('the database is started by test/support/hooks.ts');
  return current;
}
