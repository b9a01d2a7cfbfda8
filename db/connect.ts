/** The connection pool, bound to the Objection models. */
import knex from 'knex';
import type { Knex } from 'knex';
import { Model } from 'objection';
import pg from 'pg';
import { createPgClient } from './pg-client.ts';

/** Together under the 5 s in which a caller is told to try again. */
const ACQUIRE_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 3_000;

pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connects lazily: the first query opens the first connection. */
export function connectDatabase({ url, poolMax }: { url: string; poolMax: number }): Knex {
  const db = knex({
    client: createPgClient(isDatabaseUnavailable),
    connection: {
      connectionString: url,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      application_name: 'conversation-analysis',
    },
    pool: { min: 0, max: poolMax },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // Errors would quote the values of the statement, and so the conversation.
    compileSqlOnError: false,
  });
  Model.knex(db);
  return db;
}

/** The database is away, restarting or full; the same statement may work later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', nativeError } = error as Error & { code?: unknown; nativeError?: unknown };
  if (nativeError !== undefined && nativeError !== error) return isDatabaseUnavailable(nativeError);
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (typeof code === 'string' && code !== '') return UNAVAILABLE_CODE.test(code);
  return error.name === 'KnexTimeoutError' || UNAVAILABLE_TEXT.test(error.message);
}

/** System calls, and PostgreSQL's classes 08 (connection), 53 (resources), 57P (shutdown). Appendix A of its manual. */
const UNAVAILABLE_CODE = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|08|53|57P)/;

/** `pg` gives these errors no code, and Knex puts the statement in front. */
const UNAVAILABLE_TEXT =
  /(?:^| - )(Connection terminated|Query read timeout|timeout expired$|Client (?:was closed|has encountered a connection error) and is not queryable)/;
