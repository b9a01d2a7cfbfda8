import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import knex from 'knex';
import type { Knex } from 'knex';
import { isMigrated, migrate } from '../../db/migrate.ts';
import * as initial from '../../db/migrations/2026-11-21-initial.ts';
import { testDatabase } from '../support/database.ts';

/** Pools of their own, as several processes have them, over a database that is new. */
async function withNewDatabase(pools: number, run: (...dbs: Knex[]) => Promise<void>): Promise<void> {
  const { db, url } = testDatabase();
  const name = `migrate_${randomUUID().replaceAll('-', '')}`;
  await db.raw('create database ??', [name]);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const dbs = Array.from({ length: pools }, () =>
    knex({ client: 'pg', connection: own.href, pool: { min: 0, max: 4 } }),
  );
  try {
    await run(...dbs);
  } finally {
    await Promise.all(dbs.map((other) => other.destroy()));
    await db.raw('drop database ??', [name]);
  }
}

async function schemaOf(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as line
    from information_schema.columns where table_schema = 'public' and table_name not like 'knex%' order by 1
  `);
  return rows.map(({ line }) => line);
}

describe('The migrations', () => {
  it('run once, however many processes start at the same time', async () => {
    await withNewDatabase(5, async (...dbs) => {
      await Promise.all(dbs.map((db) => migrate(db)));
      const names = await dbs[0]!('knex_migrations').pluck<string[]>('name');
      expect(names)
        .to.deep.equal([...new Set(names)])
        .and.to.include('2026-11-21-initial');
      expect(await isMigrated(dbs[0]!)).to.equal(true);
    });
  });

  it('run although an earlier process was killed in the middle and left its lock', async () => {
    await withNewDatabase(1, async (db) => {
      expect(await isMigrated(db)).to.equal(false);
      await migrate(db);
      await db('knex_migrations_lock').update({ is_locked: 1 });
      await migrate(db);
      expect(await isMigrated(db)).to.equal(true);
    });
  });

  it('lead down to an empty schema, and up again to the same', async () => {
    await withNewDatabase(1, async (db) => {
      await initial.up(db);
      const first = await schemaOf(db);
      expect(first).to.include('sessions.status text NO');
      await initial.down(db);
      expect(await schemaOf(db)).to.deep.equal([]);
      await initial.up(db);
      expect(await schemaOf(db)).to.deep.equal(first);
    });
  });
});
