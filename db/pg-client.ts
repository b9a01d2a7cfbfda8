import { createHash } from 'node:crypto';
import PgDialect from 'knex/lib/dialects/postgres/index.js';

/**
 * Marks a statement, by `.options(PREPARED)`, that PostgreSQL is to plan once for each connection. Only for statements
 * that every session runs and whose text is fixed: each text takes memory in every connection.
 */
export const PREPARED = { isPrepared: true };

interface Connection {
  /** Set on connections that Knex must not hand out again. */
  __knex__disposed?: Error;
}

interface Statement {
  sql: string;
  options?: { isPrepared?: boolean };
}

/**
 * Returns a dialect that prepares statements, and that gives a connection up once a statement on it failed with an error
 * for which `isLost` returns true. Nobody knows whether that statement took effect, and a ROLLBACK that times out is never
 * sent: the next user of the connection would write into an open transaction.
 */
export function createPgClient(isLost: (error: unknown) => boolean): typeof PgDialect {
  return class extends PgDialect {
    protected override async _query(connection: Connection, statement: Statement): Promise<object> {
      if (connection.__knex__disposed) throw connection.__knex__disposed;
      try {
        return await super._query(connection, withName(statement));
      } catch (error) {
        const isStale = isPlanStale(error);
        if (isStale || isLost(error)) connection.__knex__disposed = error as Error;
        if (!isStale) throw error;
        return super._query(connection, { ...statement, options: {} });
      }
    }
  };
}

/** Returns the statement with the name under which PostgreSQL keeps its plan, if it is to have one. */
function withName(statement: Statement): object {
  if (statement.options?.isPrepared !== true) return statement;
  return { ...statement, options: { name: nameOf(statement.sql) } };
}

/** Names of statements, by their texts. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 20);
  names.set(sql, name);
  return name;
}

/**
 * Returns whether a migration has changed the columns that a prepared statement returns. It did nothing then, and runs
 * without its plan.
 */
const isPlanStale = (error: unknown) =>
  error instanceof Error && error.message.includes('cached plan must not change result type');
