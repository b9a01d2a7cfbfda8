/** A client for Knex that extends its dialect of PostgreSQL, which is not exported. Guarded by test/db/connect.test.ts and prepared.test.ts. */
import { createHash } from 'node:crypto';
import PgDialect from 'knex/lib/dialects/postgres/index.js';

/** Marks a statement, with `.options(PREPARED)`, that PostgreSQL parses once per connection. Each text takes memory there. */
export const PREPARED = { isPrepared: true };

/** No connection could be opened. The cause is the error of the driver, the server or the pooler. */
export class ConnectError extends Error {
  override name = 'ConnectError';

  constructor(cause: unknown) {
    super(`cannot connect to PostgreSQL: ${(cause as Error).message}`, { cause });
  }
}

interface Connection {
  /** When it was opened: milliseconds since the process started. */
  openedAt?: number;
  /** Set on connections that Knex must not reuse. Knex sets a text when the connection has ended. */
  __knex__disposed?: Error | string;
}

interface Statement {
  sql: string;
  options?: { isPrepared?: boolean };
}

interface ErrorTests {
  isConnectionLost: (error: unknown) => boolean;
  isReadOnly: (error: unknown) => boolean;
}

/** A younger connection that is read-only was opened after the failover, so replacing the others does not help. */
const YOUNG_MS = 1_000;

/**
 * Returns a dialect that prepares statements, and that discards a connection after an error for which `isConnectionLost`
 * returns true: a ROLLBACK that times out is never sent, so the next user of the connection would write into an open
 * transaction. After an error for which `isReadOnly` returns true, it discards all open connections, because they probably
 * lead to the same former primary.
 */
export function createPgClient({ isConnectionLost, isReadOnly }: ErrorTests): typeof PgDialect {
  /** Connections that were opened earlier are not used again. A field would not be shared with transactions. */
  let staleBefore = 0;

  return class extends PgDialect {
    override async acquireRawConnection(): Promise<Connection> {
      try {
        const connection: Connection = await super.acquireRawConnection();
        connection.openedAt = performance.now();
        return connection;
      } catch (error) {
        throw new ConnectError(error);
      }
    }

    override async validateConnection({ openedAt = 0 }: Connection): Promise<boolean> {
      return openedAt >= staleBefore;
    }

    protected override async _query(connection: Connection, statement: Statement): Promise<object> {
      const { __knex__disposed: reason } = connection;
      if (reason !== undefined) throw reason instanceof Error ? reason : new Error('Connection terminated');
      try {
        return await super._query(connection, withName(statement));
      } catch (error) {
        const isStale = isPlanStale(error);
        if (isStale || isConnectionLost(error)) connection.__knex__disposed = error as Error;
        const now = performance.now();
        if (isReadOnly(error) && now - (connection.openedAt ?? 0) > YOUNG_MS) staleBefore = now;
        if (!isStale) throw error;
        return super._query(connection, { ...statement, options: {} });
      }
    }
  };
}

/** Adds the name under which PostgreSQL stores a prepared statement. */
function withName(statement: Statement): object {
  if (statement.options?.isPrepared !== true) return statement;
  return { ...statement, options: { name: statementName(statement.sql) } };
}

/** Names by statement text. */
const names = new Map<string, string>();

function statementName(sql: string): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 20);
  names.set(sql, name);
  return name;
}

/** A migration changed the columns that a prepared statement returns. The statement had no effect and can be repeated. */
const isPlanStale = (error: unknown) =>
  error instanceof Error && error.message.includes('cached plan must not change result type');
