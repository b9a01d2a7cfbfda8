import { createHash } from 'node:crypto';
import PgDialect from 'knex/lib/dialects/postgres/index.js';

/** Marks a statement, with `.options(PREPARED)`, that PostgreSQL parses once per connection. Each text takes memory there. */
export const PREPARED = { isPrepared: true };

interface Connection {
  /** Set on connections that Knex must not reuse. */
  __knex__disposed?: Error;
}

interface Statement {
  sql: string;
  options?: { isPrepared?: boolean };
}

/**
 * Returns a dialect that prepares statements, and that discards a connection after an error for which `isLost` returns true:
 * a ROLLBACK that times out is never sent, so the next user of the connection would write into an open transaction.
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

/** Adds the name under which PostgreSQL stores a prepared statement. */
function withName(statement: Statement): object {
  if (statement.options?.isPrepared !== true) return statement;
  return { ...statement, options: { name: nameOf(statement.sql) } };
}

/** Names by statement text. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 20);
  names.set(sql, name);
  return name;
}

/** A migration changed the columns that a prepared statement returns. The statement had no effect and can be repeated. */
const isPlanStale = (error: unknown) =>
  error instanceof Error && error.message.includes('cached plan must not change result type');
