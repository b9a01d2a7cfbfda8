/** Opens the connection pool, and binds the Objection models to it. */
import knex from 'knex';
import type { Knex } from 'knex';
import { Model, ForeignKeyViolationError } from 'objection';
import pg from 'pg';
import { createPgClient } from './pg-client.ts';

/** Time to get a connection from the pool. Together with the query, it stays below the 5 s of a Retry-After. */
const ACQUIRE_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 3_000;

/**
 * Timeouts of the server, below those of the client: it would otherwise continue statements that the client has abandoned. A
 * transaction is idle for at most 5 s, while a recording is removed.
 */
const SERVER_OPTIONS = '-c statement_timeout=2500 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000';

pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The first query opens the first connection. */
export function connectDatabase({ url, poolMax }: { url: string; poolMax: number }): Knex {
  const db = knex({
    client: createPgClient(isConnectionLost),
    connection: {
      connectionString: url,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      options: SERVER_OPTIONS,
      application_name: 'conversation-analysis',
    },
    pool: { min: 0, max: poolMax },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // Otherwise errors contain the values of the statement, and thus conversations.
    compileSqlOnError: false,
  });
  Model.knex(db);
  return db;
}

/** Returns whether the database is unavailable, full or too slow, so that the same statement may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || TIMED_OUT_CODE.test(codeOf(error));
}

/**
 * Returns whether the connection failed during a statement, so that its effect is unknown. A statement that timed out in the
 * server does not count: its connection still works.
 */
function isConnectionLost(error: unknown): boolean {
  const cause = driverError(error);
  if (!(cause instanceof Error)) return false;
  if (cause instanceof AggregateError) return cause.errors.some(isConnectionLost);
  const code = codeOf(cause);
  if (code !== '') return LOST_CODE.test(code);
  return cause.name === 'KnexTimeoutError' || LOST_TEXT.test(cause.message);
}

/** Returns the driver's error, which Objection wraps. */
const driverError = (error: unknown): unknown => (error as { nativeError?: unknown } | null)?.nativeError ?? error;

function codeOf(error: unknown): string {
  const { code } = (driverError(error) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** `query_canceled` (statement_timeout) and `lock_not_available` (lock_timeout): appendix A of PostgreSQL's manual. */
const TIMED_OUT_CODE = /^(57014|55P03)$/;

/** Failed system calls, and PostgreSQL's 08 (connection), 53 (resources), 57P (shutdown), 25P03 (idle transaction). */
const LOST_CODE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|08|53|57P|25P03)/;

/** Messages of errors without a code from `pg`. Knex prepends the statement. */
const LOST_TEXT =
  /(?:^| - )(Connection terminated|Query read timeout|timeout expired$|Client (?:was closed|has encountered a connection error) and is not queryable)/;

/** Returns whether a row was not stored because a referenced row was deleted. */
export function isReferenceLost(error: unknown): boolean {
  return error instanceof ForeignKeyViolationError;
}
