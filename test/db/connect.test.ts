import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import knex from 'knex';
import { Model } from 'objection';
import { connectDatabase, isDatabaseUnavailable } from '../../db/connect.ts';
import { UserModel } from '../../db/models/user.ts';
import { testDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { closedPort } from '../activities/vendors/fake-vendor.ts';

const thrownBy = (running: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(running).then(
    () => expect.fail('the query succeeded'),
    (error: unknown) => error,
  );

describe('A database error', () => {
  it('of a server that is not there says that it may pass', async () => {
    const db = knex({ client: 'pg', connection: `postgresql://x:x@127.0.0.1:${await closedPort()}/x` });
    const error = await thrownBy(db.raw('select 1'));
    await db.destroy();
    expect(isDatabaseUnavailable(error)).to.equal(true);
  });

  it('of a server that takes connections and says nothing says that it may pass', async () => {
    const proxy = await startTcpProxy({ port: Number(new URL(testDatabase().url).port) });
    proxy.hang();
    const db = knex({
      client: 'pg',
      connection: { host: '127.0.0.1', port: proxy.port, connectionTimeoutMillis: 50 },
    });
    const error = await thrownBy(db.raw('select 1'));
    await Promise.all([db.destroy(), proxy.stop()]);
    expect(isDatabaseUnavailable(error)).to.equal(true);
  });

  it('of a connection that was cut in the middle of a statement says that it may pass', async () => {
    const { db, url } = testDatabase();
    for (const bindings of [[], [1]]) {
      const other = knex({ client: 'pg', connection: { connectionString: url, application_name: 'to be cut' } });
      const running = thrownBy(other.raw(`select pg_sleep(20)${bindings.length ? ', ?::int' : ''}`, bindings));
      const cut = async () =>
        db.raw<{ rows: unknown[] }>(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut' and query like '%pg_sleep%'",
        );
      while ((await cut()).rows.length === 0);
      expect(isDatabaseUnavailable(await running)).to.equal(true);
      await other.destroy();
    }
  });

  it('in a transaction leaves no one the connection, where writes would be lost with it', async () => {
    const { db: direct, url: direct_url } = testDatabase();
    const url = new URL(direct_url);
    const proxy = await startTcpProxy({ port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const db = connectDatabase({ url: url.href, poolMax: 1 });
    Model.knex(direct);
    const error = await thrownBy(
      db.transaction(async (trx) => {
        await trx.raw('select 1');
        proxy.hang();
        await trx.raw('select 2');
      }),
    );
    expect(isDatabaseUnavailable(error)).to.equal(true);
    await proxy.pass();
    const id = randomUUID();
    await db.table('users').insert({ id, email: id, name: 'Ada', password_hash: '' });
    expect(await direct.table('users').where({ id })).to.have.length(1);
    await db.destroy();
    await proxy.stop();
  });

  it('of a statement that waits too long says that it may pass, and the server has given it up', async () => {
    const { db: direct, url } = testDatabase();
    const name = `waits_${randomUUID().replaceAll('-', '')}`;
    await direct.raw('create table ?? ()', [name]);
    const lock = await direct.transaction();
    await lock.raw('lock table ?? in access exclusive mode', [name]);
    const db = connectDatabase({ url, poolMax: 2 });
    Model.knex(direct);
    const errors = await Promise.all([
      thrownBy(db.raw('select from ??', [name])),
      thrownBy(db.raw('select pg_sleep(20), ? as name', [name])),
    ]);
    const { rows } = await direct.raw<{ rows: unknown[] }>(
      "select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like ?",
      [`%${name}%`],
    );
    expect(rows).to.deep.equal([]);
    expect(errors.map(isDatabaseUnavailable)).to.deep.equal([true, true]);
    const pids = async () => (await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    expect(await pids()).to.equal(await pids());
    await lock.rollback();
    await db.destroy();
    await direct.raw('drop table ??', [name]);
  });

  it('leaves no more connections to a slow table than the pool has, however many come after it', async () => {
    const { db: direct, url } = testDatabase();
    const name = `slow_${randomUUID().replaceAll('-', '')}`;
    await direct.raw('create table ?? ()', [name]);
    const lock = await direct.transaction();
    await lock.raw('lock table ?? in access exclusive mode', [name]);
    const db = connectDatabase({ url, poolMax: 5 });
    Model.knex(direct);
    const countWaiting = async () => {
      const { rows } = await direct.raw<{ rows: unknown[] }>(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like ?",
        [`select from "${name}"%`],
      );
      return rows.length;
    };
    let most = 0;
    for (let round = 0; round < 3; round++) {
      let isOver = false;
      const statements = Array.from({ length: 20 }, () => thrownBy(db.raw('select from ??', [name])));
      void Promise.all(statements).then(() => (isOver = true));
      while (!isOver) most = Math.max(most, await countWaiting());
    }
    expect(most).to.equal(5);
    await lock.rollback();
    await db.destroy();
    await direct.raw('drop table ??', [name]);
  });

  it('comes to who forgets a transaction: the server ends it by itself', async () => {
    const { rows } = await testDatabase().db.raw<{ rows: { seconds: string }[] }>(
      "select current_setting('idle_in_transaction_session_timeout') as seconds",
    );
    expect(rows).to.deep.equal([{ seconds: '15s' }]);
  });

  it('of a pool with nothing free says that it may pass', async () => {
    const db = knex({
      client: 'pg',
      connection: testDatabase().url,
      pool: { min: 0, max: 1 },
      acquireConnectionTimeout: 500,
    });
    const trx = await db.transaction();
    const error = await thrownBy(db.raw('select 1'));
    await trx.rollback();
    await db.destroy();
    expect(isDatabaseUnavailable(error)).to.equal(true);
  });

  it('of the statement itself says that it will not pass, whatever text it quotes', async () => {
    const { db } = testDatabase();
    const quoting = 'x - Connection terminated unexpectedly';
    expect(isDatabaseUnavailable(await thrownBy(db.raw('select ?::int', [quoting])))).to.equal(false);
    expect(isDatabaseUnavailable(await thrownBy(db.raw('select no_such_column')))).to.equal(false);
    expect(isDatabaseUnavailable(await thrownBy(UserModel.query().insert({ id: '\0' })))).to.equal(false);
    expect(isDatabaseUnavailable(new TypeError('ECONNREFUSED'))).to.equal(false);
    expect(isDatabaseUnavailable('ECONNREFUSED')).to.equal(false);
  });

  it('quotes no value of the statement', async () => {
    const error = await thrownBy(UserModel.query().insert({ id: 'user_x', name: 'strictly confidential' }));
    expect(String(error)).not.to.contain('strictly confidential');
  });
});
