/** The tables of the first release. The name is the last of the ten migrations that it replaces, which earlier databases have. */
import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(await readFile(new URL('tables.sql', import.meta.url), 'utf8'));
}
