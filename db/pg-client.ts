import PgDialect from 'knex/lib/dialects/postgres/index.js';

interface Connection {
  /** Knex hands out no connection that has it. */
  __knex__disposed?: Error;
}

/**
 * Gives a connection up once a statement on it failed with `isLost`. Nobody knows what became of the statement, and a
 * ROLLBACK that times out is never sent: whoever got the connection next would write into an open transaction.
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
