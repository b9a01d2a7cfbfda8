import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import knex from 'knex';
import { Model } from 'objection';
import { connectDatabase, isDatabaseUnavailable } from '../../db/connect.ts';
import { UserModel } from '../../db/models/user.ts';
import { testDatabase, useConnections } from '../support/database.ts';
import { errorOf } from '../support/error-of.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { freePort } from '../support/free-port.ts';

/** Creates a table and locks it. `release` unlocks and drops it. */
async function lockTable() {
  const { db } = testDatabase();
  const name = `locked_${randomUUID().replaceAll('-', '')}`;
  await db.raw('create table ?? ()', [name]);
  const lock = await db.transaction();
  await lock.raw('lock table ?? in access exclusive mode', [name]);
  return {
    name,
    async release() {
      await lock.rollback();
      await db.raw('drop table ??', [name]);
    },
  };
}

/** Connects like the service, without binding the models. */
function connectApart(url: string, poolMax: number) {
  const db = connectDatabase({ url, poolMax });
  Model.knex(testDatabase().db);
  return db;
}

describe('A database error', () => {
  useConnections();
  it('of a missing server is temporary', async () => {
    const db = knex({ client: 'pg', connection: `postgresql://x:x@127.0.0.1:${await freePort()}/x` });
    const error = await errorOf(db.raw('select 1'));
    await db.destroy();
    expect(isDatabaseUnavailable(error)).to.equal(true);
  });

  it('of a server that accepts connections but does not respond is temporary', async () => {
    const proxy = await startTcpProxy({ port: Number(new URL(testDatabase().url).port) });
    proxy.hang();
    const db = knex({ client: 'pg', connection: { host: '127.0.0.1', port: proxy.port, connectionTimeoutMillis: 50 } });
    const error = await errorOf(db.raw('select 1'));
    await Promise.all([db.destroy(), proxy.stop()]);
    expect(isDatabaseUnavailable(error)).to.equal(true);
  });

  it('of a connection that is cut during a statement is temporary', async () => {
    const { db, url } = testDatabase();
    for (const bindings of [[], [1]]) {
      const other = knex({ client: 'pg', connection: { connectionString: url, application_name: 'to be cut' } });
      const running = errorOf(other.raw(`select pg_sleep(20)${bindings.length ? ', ?::int' : ''}`, bindings));
      const cut = async () =>
        db.raw<{ rows: unknown[] }>(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut' and query like '%pg_sleep%'",
        );
      while ((await cut()).rows.length === 0) await sleep(20);
      expect(isDatabaseUnavailable(await running)).to.equal(true);
      await other.destroy();
    }
  });

  it('in a transaction discards the connection, because it would lose later writes', async () => {
    const { db: direct, url: direct_url } = testDatabase();
    const url = new URL(direct_url);
    const proxy = await startTcpProxy({ port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const db = connectApart(url.href, 1);
    const error = await errorOf(
      db.transaction(async (trx) => {
        await trx.raw('select 1');
        proxy.hang();
        await trx.raw('select 2');
      }),
    );
    expect(isDatabaseUnavailable(error)).to.equal(true);
    await proxy.pass();
    const id = randomUUID();
    await db.table('workspaces').insert({ id, name: 'Ada' });
    expect(await direct.table('workspaces').where({ id })).to.have.length(1);
    await db.destroy();
    await proxy.stop();
  });

  it('of a statement that waits too long is temporary, and the server cancels the statement', async () => {
    const { db: direct, url } = testDatabase();
    const { name, release } = await lockTable();
    const db = connectApart(url, 2);
    const errors = await Promise.all([
      errorOf(db.raw('select from ??', [name])),
      errorOf(db.raw('select pg_sleep(20), ? as name', [name])),
    ]);
    const { rows } = await direct.raw<{ rows: unknown[] }>(
      "select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like ?",
      [`%${name}%`],
    );
    expect(rows).to.deep.equal([]);
    expect(errors.map(isDatabaseUnavailable)).to.deep.equal([true, true]);
    const pids = async () => (await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    expect(await pids()).to.equal(await pids());
    await release();
    await db.destroy();
  });

  it('limits the connections to a slow table to the size of the pool', async () => {
    const { db: direct, url } = testDatabase();
    const { name, release } = await lockTable();
    const db = connectApart(url, 5);
    const countWaiting = async () => {
      const { rows } = await direct.raw<{ rows: unknown[] }>(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like ?",
        [`select from "${name}"%`],
      );
      return rows.length;
    };
    let most = 0;
    for (let round = 0; round < 2; round++) {
      let isOver = false;
      const statements = Array.from({ length: 20 }, () => errorOf(db.raw('select from ??', [name])));
      void Promise.all(statements).then(() => (isOver = true));
      for (; !isOver; await sleep(50)) most = Math.max(most, await countWaiting());
    }
    expect(most).to.equal(5);
    await release();
    await db.destroy();
  });

  it('occurs in a transaction that was left open, which the server ends', async () => {
    const db = connectApart(testDatabase().url, 1);
    const { rows } = await db.raw<{ rows: { seconds: string }[] }>(
      "select current_setting('idle_in_transaction_session_timeout') as seconds",
    );
    await db.destroy();
    expect(rows).to.deep.equal([{ seconds: '15s' }]);
  });

  it('of an exhausted pool is temporary', async () => {
    const db = knex({
      client: 'pg',
      connection: testDatabase().url,
      pool: { min: 0, max: 1 },
      acquireConnectionTimeout: 500,
    });
    const trx = await db.transaction();
    const error = await errorOf(db.raw('select 1'));
    await trx.rollback();
    await db.destroy();
    expect(isDatabaseUnavailable(error)).to.equal(true);
  });

  it('of the statement itself is permanent, even if it quotes text of temporary errors', async () => {
    const { db } = testDatabase();
    const quoting = 'x - Connection terminated unexpectedly';
    expect(isDatabaseUnavailable(await errorOf(db.raw('select ?::int', [quoting])))).to.equal(false);
    expect(isDatabaseUnavailable(await errorOf(db.raw('select no_such_column')))).to.equal(false);
    expect(isDatabaseUnavailable(await errorOf(UserModel.query().insert({ id: '\0' })))).to.equal(false);
    expect(isDatabaseUnavailable(new TypeError('ECONNREFUSED'))).to.equal(false);
    expect(isDatabaseUnavailable('ECONNREFUSED')).to.equal(false);
  });

  /** Codes that the server may report for a statement, and whether its connection is used again. */
  const codes = {
    '25006 53000 53100 53200 53300 53400 57P01 57P02 57P03 57P05 58000 58030 08000 08006 25P03': [true, false],
    '40001 40P01 55P03 57014': [true, true],
    '22P02 23505 42501 42P01 XX000 P0001': [false, true],
  } as const;
  for (const [list, [isTemporary, isKept]] of Object.entries(codes)) {
    it(`is ${isTemporary ? 'temporary' : 'permanent'}, and its connection ${isKept ? 'kept' : 'replaced'}, for ${list}`, async () => {
      const db = connectApart(testDatabase().url, 1);
      const pid = async () =>
        (await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')).rows[0]?.pid;
      for (const code of list.split(' ')) {
        const before = await pid();
        const error = await errorOf(db.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`));
        expect(isDatabaseUnavailable(error), code).to.equal(isTemporary);
        expect((await pid()) === before, code).to.equal(isKept);
      }
      await db.destroy();
    });
  }

  it('does not quote values of the statement', async () => {
    const error = await errorOf(UserModel.query().insert({ id: 'user_x', name: 'strictly confidential' }));
    expect(String(error)).not.to.contain('strictly confidential');
  });
});
