/** Opens the connection pool, and binds the Objection models to it. */
import knex, { type Knex } from 'knex';
import { Model, ForeignKeyViolationError } from 'objection';
import pg from 'pg';
import { ConnectError, createPgClient } from './pg-client.ts';

/** Time to get a connection from the pool. Together with the query, it stays below the 5 s of a Retry-After. */
const ACQUIRE_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 3_000;

/** Part of the pool that is kept without use. Each new connection plans its prepared statements again. */
const KEPT = 0.25;

/**
 * Timeouts of the server, below those of the client: it would otherwise continue statements that the client has abandoned. A
 * transaction is idle for at most 5 s, while a recording is removed.
 */
const SERVER_TIMEOUTS_MS = {
  statement_timeout: 2_500,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 15_000,
};

pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Replaces Knex's own log, which prints between the JSON lines. Its errors are thrown too. */
export const SILENT_LOG = { debug() {}, warn() {}, error() {}, deprecate() {} };

interface DatabaseOptions {
  url: string;
  poolMax: number;
  /** Multiplies every timeout. Tests on a busy machine need longer ones. */
  patience?: number;
}

/** The first query opens the first connection. */
export function connectDatabase({ url, poolMax, patience = 1 }: DatabaseOptions): Knex {
  const serverOptions = Object.entries(SERVER_TIMEOUTS_MS).map(([name, ms]) => `-c ${name}=${ms * patience}`);
  const db = knex({
    client: createPgClient({ isConnectionLost, isReadOnly }),
    log: SILENT_LOG,
    connection: {
      connectionString: url,
      // A firewall would otherwise drop an idle connection, which the next statement would detect by its timeout.
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS * patience,
      query_timeout: QUERY_TIMEOUT_MS * patience,
      options: serverOptions.join(' '),
      application_name: 'conversation-analysis',
    },
    pool: { min: Math.floor(poolMax * KEPT), max: poolMax },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS * patience,
    // Otherwise errors contain the values of the statement, and thus conversations.
    compileSqlOnError: false,
  });
  Model.knex(db);
  return db;
}

/** Returns whether the database is unavailable, full, read-only or too slow, so that the same statement may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || BRIEF_CODE.test(codeOf(error));
}

/**
 * Returns whether the connection is of no more use: it failed during a statement, so that the effect is unknown, or its
 * server refuses writes. A statement that timed out in the server does not count: its connection still works.
 */
function isConnectionLost(error: unknown): boolean {
  const cause = driverError(error);
  if (cause instanceof ConnectError) return true;
  return isOutage(cause) || (cause instanceof pg.DatabaseError && ENDING_SEVERITY.test(cause.severity ?? ''));
}

/** Returns whether a failed system call, the server or a pooler reports that the database is not available now. */
export function isOutage(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (cause instanceof AggregateError) return cause.errors.some(isOutage);
  const code = codeOf(cause);
  if (code !== '') return OUTAGE_CODE.test(code) || (cause as NodeJS.ErrnoException).syscall === 'connect';
  return cause.name === 'KnexTimeoutError' || LOST_TEXT.test(cause.message);
}

/** Returns whether the server refuses writes, as a former primary does after a failover. */
export const isReadOnly = (error: unknown) => codeOf(error) === '25006';

/** Returns whether the disk of the server is full. */
export const isDiskFull = (error: unknown) => codeOf(error) === '53100';

/**
 * Fails like a write on a read-only server or a full disk, and changes nothing: the rows exceed `work_mem`, so the server
 * writes half a megabyte to a temporary file.
 */
export const CHECK_WRITES = `do $$ begin
  if current_setting('transaction_read_only') = 'on' then
    raise read_only_sql_transaction using message = 'the server is read-only';
  end if;
  set local work_mem = '64kB';
  perform count(*) from generate_series(1, 20000);
end $$`;

/** Returns the driver's error, which Objection wraps. */
const driverError = (error: unknown): unknown => (error as { nativeError?: unknown } | null)?.nativeError ?? error;

function codeOf(error: unknown): string {
  const { code } = (driverError(error) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/**
 * `query_canceled` (statement_timeout), `lock_not_available` (lock_timeout), `serialization_failure` (on a standby) and
 * `deadlock_detected`: appendix A of PostgreSQL's manual.
 */
const BRIEF_CODE = /^(57014|55P03|40001|40P01)$/;

/**
 * Failed system calls, and PostgreSQL's 08 (connection), 25006 (read-only), 25P03 and 25P04 (timeouts of a transaction),
 * 53 (resources), 57P (shutdown), 58 (system).
 */
const OUTAGE_CODE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EADDRNOTAVAIL|EAI_|08|25006|25P03|25P04|53|57P|58)/;

/** After such an error, PostgreSQL and poolers close the connection. */
const ENDING_SEVERITY = /^(FATAL|PANIC)$/;

/** Messages of errors without a code from `pg`. Knex prepends the statement. */
const LOST_TEXT =
  /(?:^| - )(Connection terminated|Query read timeout|timeout expired$|Client (?:was closed|has encountered a connection error) and is not queryable)/;

/** Returns whether a row was not stored because a referenced row was deleted. */
export function isReferenceLost(error: unknown): boolean {
  return error instanceof ForeignKeyViolationError;
}
