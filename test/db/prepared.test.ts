import type { Knex } from 'knex';
import { Model } from 'objection';
import { connectDatabase } from '../../db/connect.ts';
import { runPrepared } from '../../db/statements.ts';
import { testDatabase } from '../support/database.ts';

describe('A prepared statement', () => {
  let db: Knex;
  before(async () => {
    const { url } = testDatabase();
    // One connection, so that each use finds the prepared statement of the previous one.
    db = connectDatabase({ url, poolMax: 1 });
    await db.raw('create table things (id integer primary key); insert into things values (1)');
  });
  after(async () => {
    await db.raw('drop table things');
    await db.destroy();
    Model.knex(testDatabase().db);
  });

  const plans = async () => {
    const { rows } = await db.raw<{ rows: { plans: string }[] }>(
      `select generic_plans + custom_plans as plans from pg_prepared_statements where statement like '%things%'`,
    );
    return rows.map((row) => Number(row.plans));
  };

  it('is parsed once for each connection and text', async () => {
    for (let i = 0; i < 3; i++) {
      expect(await runPrepared('select id from things where id = ?', [1])).to.deep.equal([{ id: 1 }]);
    }
    expect(await plans()).to.deep.equal([3]);
    for (let i = 0; i < 2; i++) await runPrepared('select * from things where id = :id', { id: 1 });
    expect((await plans()).sort()).to.deep.equal([2, 3]);
  });

  it('continues after a migration that adds a column to its result', async () => {
    const read = () => runPrepared('select * from things where id = ?', [1]);
    await read();
    await db.raw('alter table things add added integer not null default 7');
    for (let i = 0; i < 2; i++) expect(await read()).to.deep.equal([{ id: 1, added: 7 }]);
  });
});
