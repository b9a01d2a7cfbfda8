/** Knex has types only for the base class of its dialects. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  class PgDialect extends Knex.Client {
    acquireRawConnection(): Promise<object>;
    validateConnection(connection: object): Promise<boolean>;
    protected _query(connection: object, statement: object): Promise<object>;
  }
  export = PgDialect;
}
