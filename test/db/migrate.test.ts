import { randomUUID } from 'node:crypto';
import knex, { type Knex } from 'knex';
import { awaitDatabase } from '../../db/await-database.ts';
import { isMigrated, migrate, MIGRATIONS } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { testDatabase } from '../support/database.ts';
import { errorOf } from '../support/error-of.ts';
import { silentLog } from '../support/log.ts';
import { runCommand } from '../support/run-command.ts';

async function withNewDatabase(run: (db: Knex, url: string) => Promise<void>): Promise<void> {
  const { url: serverUrl } = testDatabase();
  // Without the service's statement timeout, because creating and dropping a database can take long.
  const server = knex({ client: 'pg', connection: serverUrl, pool: { min: 0, max: 1 } });
  const name = `migrate_${randomUUID().replaceAll('-', '')}`;
  await server.raw('create database ??', [name]);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = knex({ client: 'pg', connection: url.href, pool: { min: 0, max: 4 } });
  try {
    await run(db, url.href);
  } finally {
    await db.destroy();
    await server.raw('drop database ??', [name]);
    await server.destroy();
  }
}

describe('The migrations', () => {
  it('run once if several processes start at the same time', async () => {
    await withNewDatabase(async (db, url) => {
      await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
      const names = await db('knex_migrations').pluck<string[]>('name');
      expect(names)
        .to.deep.equal([...new Set(names)])
        .and.to.include('010-shares');
      expect(await isMigrated(db)).to.equal(true);
    });
  });

  it('print what they applied, or that the schema is current', async () => {
    await withNewDatabase(async (_, url) => {
      const run = () => runCommand(process.execPath, ['db/run-migrations.ts'], { DATABASE_URL: url });
      expect((await run()).output).to.match(
        new RegExp(`^Applied to the schema: ${Object.keys(MIGRATIONS).join(', ')}, announce.sql, .*\.\n$`),
      );
      expect(await run()).to.deep.equal({ output: 'The schema is current.\n', errors: '', code: 0 });
      const version = 'Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
      const imports = ['--import', `data:text/javascript,${version}`, '--import', './runtime/node-version.js'];
      const old = await runCommand(process.execPath, [...imports, 'db/run-migrations.ts'], { DATABASE_URL: url });
      expect([old.output, old.code]).to.deep.equal(['', 1]);
      expect(old.errors).to.match(/^Node 24 is needed, this is Node 20.20.2. .*\n$/);
    });
  });

  it('end with one sentence for arguments, and for a role that does not own its database', async () => {
    await withNewDatabase(async (db, url) => {
      const user = `guest_${randomUUID().slice(0, 8)}`;
      const asUser = new URL(url);
      asUser.username = user;
      await db.raw(`create role ?? login password '${asUser.password}'`, [user]);
      const run = (...args: string[]) =>
        runCommand(process.execPath, ['db/run-migrations.ts', ...args], { DATABASE_URL: asUser.href });
      const [refused, asked] = [await run(), await run('--help')];
      await db.raw('drop role ??', [user]);
      expect([refused.output, refused.code, asked.output, asked.code]).to.deep.equal(['', 1, '', 1]);
      expect(refused.errors).to.match(
        /^The role of DATABASE_URL must own its database, .*permission denied [^.\n]*\.\n$/,
      );
      expect(asked.errors).to.match(/^Unknown argument --help\. [^\n]*\n$/);
    });
  });

  it('run after a killed process left its lock', async () => {
    await withNewDatabase(async (db, url) => {
      expect(await isMigrated(db)).to.equal(false);
      await migrate(url);
      await db('knex_migrations_lock').update({ is_locked: 1 });
      await migrate(url);
      expect(await isMigrated(db)).to.equal(true);
    });
  });

  it('may take longer than the statement timeout of requests, and other processes wait for them', async () => {
    const slow = {
      up: async (trx: Knex) => {
        await trx.raw('select pg_sleep(3.1)');
        await trx.raw('create table slow ()');
      },
    };
    await withNewDatabase(async (db, url) => {
      await Promise.all([migrate(url, { migrations: { slow } }), migrate(url, { migrations: { slow } })]);
      expect(await isMigrated(db, { slow })).to.equal(true);
    });
  });

  it('give exports a scope of their own, which the tokens that could export keep', async () => {
    const { '021-follow-ups': last, ...former } = MIGRATIONS;
    await withNewDatabase(async (db, url) => {
      await migrate(url, { migrations: former });
      await db('workspaces').insert({ id: 'ws_1', name: 'a' });
      const scopes = [['sessions:read', 'usage:read'], ['usage:read'], null];
      for (const [index, each] of scopes.entries()) {
        const [id, token_hash] = [`key_${index}`, Buffer.from([index])];
        await db('api_keys').insert({
          id,
          chain_id: id,
          workspace_id: 'ws_1',
          name: 'a',
          prefix: 'a',
          token_hash,
          scopes: each,
        });
      }
      const after = () => db('api_keys').orderBy('id').pluck<unknown[]>('scopes');
      await last!.up(db);
      const expected = [['sessions:read', 'usage:read', 'sessions:export'], ['usage:read'], null];
      expect(await after()).to.deep.equal(expected);
      await last!.up(db);
      expect(await after()).to.deep.equal(expected);
    });
  });

  it('of a newer release do not make this release unready', async () => {
    const nothing = { up: async () => undefined };
    await withNewDatabase(async (db, url) => {
      await migrate(url, { migrations: { first: nothing, second: nothing } });
      expect(await isMigrated(db, { first: nothing })).to.equal(true);
      await migrate(url, { migrations: { first: nothing } });
      expect(await isMigrated(db, { first: nothing, third: nothing })).to.equal(false);
    });
  });

  it('end with one sentence without SQL for the tables of a development version, and change nothing', async () => {
    const changes = [
      (db: Knex) => db('sql_functions').where({ name: '010-shares' }).update({ hash: 'of other tables' }),
      async (db: Knex) => {
        await db('knex_migrations').delete();
        await db('sql_functions').delete();
      },
    ];
    for (const change of changes) {
      await withNewDatabase(async (db, url) => {
        await migrate(url);
        await change(db);
        const before = await db('sql_functions');
        const { output, errors, code } = await runCommand(process.execPath, ['db/run-migrations.ts'], {
          DATABASE_URL: url,
        });
        expect({ output, code }).to.deep.equal({ output: '', code: 1 });
        expect(errors).to.match(/^A development version made the tables [^\n]*: use another database [^\n]*\.\n$/);
        expect(await db('sql_functions')).to.deep.equal(before);
      });
    }
  });

  it('continue a database with the migrations that are one now, and leave it to the former release', async () => {
    const former = { name: '010-shares', hash: '34ae32f7523ac89bf90c4d5dfc39ac8d630775848ce49fcdf9c338efdada958f' };
    await withNewDatabase(async (db, url) => {
      await migrate(url);
      await db('knex_migrations').insert({ name: '001-initial', batch: 1, migration_time: new Date() });
      await db('knex_migrations').where({ name: '021-follow-ups' }).delete();
      await db('sql_functions').where({ name: former.name }).update(former);
      expect(await migrate(url)).to.deep.equal(['021-follow-ups']);
      expect(await db('sql_functions').where({ name: former.name })).to.deep.equal([former]);
    });
  });

  it('leave the functions of a newer release, and end with a sentence if this release can no longer use its tables', async () => {
    await withNewDatabase(async (db, url) => {
      await migrate(url);
      await db('knex_migrations').insert({ name: '999-later', batch: 99, migration_time: new Date() });
      await db('sql_functions').where({ name: 'announce.sql' }).update({ hash: 'of the newer one' });
      expect(await migrate(url)).to.deep.equal([]);
      expect(await db('sql_functions').where({ hash: 'of the newer one' })).to.have.length(1);
      await awaitDatabase(db, silentLog);
      await db('sql_functions').where({ name: 'oldest release' }).update({ hash: '998-dropped' });
      for (const use of [() => migrate(url), () => awaitDatabase(db, silentLog)]) {
        const error = await errorOf(use());
        expect(error).to.have.property('name', 'StartError');
        expect(String(error)).to.match(/A newer release made the tables .*: run the newer one/);
      }
    });
  });

  it('build an index without blocking writes, and other processes wait for it', async () => {
    const concurrent = {
      config: { transaction: false },
      up: async (trx: Knex) => {
        await trx.raw('create table if not exists busy (n int)');
        await trx.raw('create index concurrently if not exists busy_n on busy (n)');
      },
    };
    await withNewDatabase(async (db, url) => {
      await Promise.all([1, 2, 3].map(() => migrate(url, { migrations: { concurrent } })));
      const { rows } = await db.raw<{ rows: object[] }>(
        "select from pg_index where indisvalid and indrelid = 'busy'::regclass",
      );
      expect(rows).to.have.length(1);
    });
  });

  it('wait for a locked table without blocking others, and keep earlier migrations', async () => {
    const migrations = {
      first: { up: (trx: Knex) => trx.raw('create table held (n int)').then(() => undefined) },
      second: { up: (trx: Knex) => trx.raw('alter table held add m int').then(() => undefined) },
    };
    await withNewDatabase(async (db, url) => {
      await migrate(url, { migrations: { first: migrations.first } });
      const holder = await db.transaction();
      await holder('held').insert({ n: 1 });
      const migrating = migrate(url, { migrations, lockTimeoutMs: 50 });
      const waitsForLock = async () =>
        (await db('pg_stat_activity').where({ wait_event_type: 'Lock' }).andWhere('query', 'like', 'alter table held%'))
          .length;
      await eventually(waitsForLock, (count) => count === 1, 60_000, 20);
      await db('held').insert({ n: 2 });
      await holder.commit();
      await migrating;
      expect(await db('held').select('n', 'm')).to.have.length(2);
    });
  });
});
