/** Knex types its base class alone. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';

  class PgDialect extends Knex.Client {
    protected _query(connection: object, statement: object): Promise<object>;
  }
  export = PgDialect;
}
