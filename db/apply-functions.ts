/** Applies the SQL functions and triggers in `functions/`. A file is applied again when it changes. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

const FOLDER = new URL('functions/', import.meta.url);

/** Applies every file that changed since it was last applied, each in a transaction. Returns their names. */
export async function applyFunctions(db: Knex): Promise<string[]> {
  const changed: string[] = [];
  const applied = new Map((await db<AppliedFile>('sql_functions').select()).map(({ name, hash }) => [name, hash]));
  for (const name of await listNames()) {
    const sql = await readFile(new URL(name, FOLDER), 'utf8');
    const hash = createHash('sha256').update(sql).digest('hex');
    if (applied.get(name) === hash) continue;
    await db.transaction(async (trx) => {
      await trx.raw(sql);
      await recordFile(trx, { name, hash });
    });
    changed.push(name);
  }
  return changed;
}

export const recordFile = (db: Knex, file: AppliedFile) =>
  db<AppliedFile>('sql_functions').insert(file).onConflict('name').merge();

/** Returns whether every file of this release was applied. A newer release may have changed one since. */
export async function areFunctionsApplied(db: Knex): Promise<boolean> {
  const applied = new Set(await db<AppliedFile>('sql_functions').pluck('name'));
  return (await listNames()).every((name) => applied.has(name));
}

export interface AppliedFile {
  name: string;
  hash: string;
}

const listNames = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
