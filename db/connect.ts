/** Opens the connection pool and binds it to the Objection models. */
import knex from 'knex';
import type { Knex } from 'knex';
import { Model, ForeignKeyViolationError } from 'objection';
import pg from 'pg';
import { createPgClient } from './pg-client.ts';

/**
 * Time to get a connection from the pool. With the other bounds it stays under the 5 s in which a caller is told to try
 * again.
 */
const ACQUIRE_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 3_000;

/**
 * Bounds that the server itself keeps, below the client's. Without them a statement that nobody waits for any more
 * would run on, and the pool would open one connection after the other beside it. A transaction is idle for at most 5
 * s, while a recording is removed.
 */
const SERVER_OPTIONS = '-c statement_timeout=2500 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000';

pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connects lazily: the first query opens the first connection. */
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
    // Errors would otherwise quote the values of the statement, and so the conversation.
    compileSqlOnError: false,
  });
  Model.knex(db);
  return db;
}

/** Returns whether the database is away, restarting, full or too slow, so that the same statement may work later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || hasCode(error, TIMED_OUT_CODE);
}

/**
 * Returns whether the connection failed with the statement under way: nobody knows whether it took effect. A statement
 * that timed out in the server does not count: the server said so, and the connection is sound.
 */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', nativeError } = error as DatabaseError;
  if (nativeError !== undefined && nativeError !== error) return isConnectionLost(nativeError);
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  if (typeof code === 'string' && code !== '') return LOST_CODE.test(code);
  return error.name === 'KnexTimeoutError' || LOST_TEXT.test(error.message);
}

interface DatabaseError extends Error {
  code?: unknown;
  /** The error that the driver threw, where Objection wrapped it in one of its own. */
  nativeError?: unknown;
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  const { code, nativeError } = error as DatabaseError;
  if (nativeError !== undefined && nativeError !== error) return hasCode(nativeError, pattern);
  return typeof code === 'string' && pattern.test(code);
}

/**
 * Matches `query_canceled` (statement_timeout) and `lock_not_available` (lock_timeout). Appendix A of PostgreSQL's
 * manual.
 */
const TIMED_OUT_CODE = /^(57014|55P03)$/;

/**
 * Matches failed system calls, and PostgreSQL's classes 08 (connection), 53 (resources), 57P (shutdown) and 25P03 (idle
 * in transaction).
 */
const LOST_CODE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|08|53|57P|25P03)/;

/** Matches the messages of errors to which `pg` gives no code. Knex puts the statement in front of them. */
const LOST_TEXT =
  /(?:^| - )(Connection terminated|Query read timeout|timeout expired$|Client (?:was closed|has encountered a connection error) and is not queryable)/;

/** Returns whether a row was not stored because what it refers to was deleted meanwhile. */
export function isReferenceLost(error: unknown): boolean {
  return error instanceof ForeignKeyViolationError;
}
