import PgDialect from 'knex/lib/dialects/postgres/index.js';

interface Connection {
  /** Set on connections that Knex must not hand out again. */
  __knex__disposed?: Error;
}

/**
 * Returns a dialect that gives a connection up once a statement on it failed with an error for which `isLost` returns
 * true. Nobody knows whether that statement took effect, and a ROLLBACK that times out is never sent: the next user of
 * the connection would write into an open transaction.
 */
export function createPgClient(isLost: (error: unknown) => boolean): typeof PgDialect {
  return class extends PgDialect {
    protected override async _query(connection: Connection, statement: object): Promise<object> {
      if (connection.__knex__disposed) throw connection.__knex__disposed;
      try {
        return await super._query(connection, statement);
      } catch (error) {
        if (isLost(error)) connection.__knex__disposed = error as Error;
        throw error;
      }
    }
  };
}
