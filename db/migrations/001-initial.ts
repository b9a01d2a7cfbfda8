import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(await readFile(new URL('tables.sql', import.meta.url), 'utf8'));
}
