/** Waits for the database when a process starts. */
import type { Knex } from 'knex';
import type pg from 'pg';
import { StartError } from '../runtime/process/process.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { waitUntilThere } from '../runtime/process/wait-until-there.ts';
import { CHECK_WRITES, connectDatabase, isDatabaseUnavailable, isOutage } from './connect.ts';
import { isMigrated, requireUsableSchema } from './migrate.ts';
import { ConnectError } from './pg-client.ts';

/** Resolves when PostgreSQL is available and has this release's schema. Throws errors that waiting can't fix. */
export async function awaitDatabase(db: Knex, log: Log): Promise<void> {
  await awaitAnswer(log, async () => {
    await requireUsableSchema(db);
    return (await isMigrated(db)) ? undefined : 'the schema of this release (npm run migrate)';
  });
}

/** Resolves when PostgreSQL is available and accepts writes, with any schema. Throws errors that waiting can't fix. */
export async function awaitServer(url: string, log: Log, signal?: AbortSignal): Promise<void> {
  const db = connectDatabase({ url, poolMax: 2 });
  try {
    await awaitAnswer(log, () => db.raw(CHECK_WRITES).then(() => undefined), signal);
  } finally {
    await db.destroy();
  }
}

const awaitAnswer = (log: Log, findMissing: () => Promise<string | undefined>, signal?: AbortSignal) => {
  const find = async () => {
    try {
      return await findMissing();
    } catch (error) {
      if (error instanceof StartError) throw error;
      const cause = error instanceof ConnectError ? error.cause : error;
      const reason = describe(cause);
      if (mayEnd(error, reason)) return { missing: 'PostgreSQL (DATABASE_URL)', reason };
      const advice = adviceFor(cause, reason);
      throw new StartError(`DATABASE_URL can't be used: ${reason.replace(/\.$/, '')}.${advice && ` ${advice}`}`);
    }
  };
  return waitUntilThere(log, find, signal);
};

/** Returns the text of an error. That of several addresses has only a code. */
function describe(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException;
  return message || code || String(cause);
}

/**
 * Returns whether an error ends without a change of the settings. PgBouncer sends 08P01 and Supavisor XX000 for refusals and
 * for outages, so only the text tells them apart.
 */
function mayEnd(error: unknown, reason: string): boolean {
  if (!(error instanceof ConnectError)) return isDatabaseUnavailable(error);
  const { code } = error.cause as pg.DatabaseError;
  if (code === 'XX000') return !REFUSED_TEXT.test(reason);
  if (code === '08P01') return LATER_TEXT.test(reason) && !REFUSED_TEXT.test(reason);
  return isOutage(error.cause);
}

const REFUSED_TEXT = /password|authentication|no such|not found|does not exist|unsupported|not allowed/i;
const LATER_TEXT =
  /timeout|timed out|cannot connect|connect failed|has been failing|retry|try again|no more|too many|limit|shut|starting|paused|crash|closed|unavailable/i;

/** Returns what to do about an error, by its code or its text. */
function adviceFor(cause: unknown, reason: string): string {
  const { code = '' } = cause as { code?: string };
  return ADVICE.find(([pattern]) => pattern.test(`${code} ${reason}`))?.[1] ?? '';
}

const ADVICE: [RegExp, string][] = [
  [/no encryption|SSL required|require[sd]?(?: an?)? SSL/i, 'Add sslmode=require to it.'],
  [/does not support SSL/, 'Remove sslmode from it, or turn on TLS in PostgreSQL.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/,
    'Set sslrootcert in it, or NODE_EXTRA_CA_CERTS, to a file with the certificate authority.',
  ],
  [/parameter/, 'Set ignore_startup_parameters = options in the pooler: docs/operations.md, "PostgreSQL".'],
  [/^3D000|no such database/, 'Create the database, or correct the name.'],
  [/^28|password|authentication|no such user/i, 'Correct its user, its password or DATABASE_PASSWORD.'],
];
