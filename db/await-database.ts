/** Waits for the database when a process starts. */
import type { Knex } from 'knex';
import type { Log } from '../runtime/telemetry/log.ts';
import { waitUntilThere } from '../runtime/wait-until-there.ts';
import { connectDatabase, isDatabaseUnavailable } from './connect.ts';
import { isMigrated } from './migrate.ts';

/** Resolves when PostgreSQL is available and has this release's schema. Throws errors that waiting can't fix. */
export async function awaitDatabase(db: Knex, log: Log): Promise<void> {
  await awaitAnswer(log, async () =>
    (await isMigrated(db)) ? undefined : 'the schema of this release (npm run migrate)',
  );
}

/** Resolves when PostgreSQL is available, with any schema. Throws errors that waiting can't fix. */
export async function awaitServer(url: string, log: Log): Promise<void> {
  const db = connectDatabase({ url, poolMax: 2 });
  try {
    await awaitAnswer(log, async () => {
      await db.raw('select 1');
      return undefined;
    });
  } finally {
    await db.destroy();
  }
}

const awaitAnswer = (log: Log, findMissing: () => Promise<string | undefined>) =>
  waitUntilThere(log, async () => {
    try {
      return await findMissing();
    } catch (error) {
      if (isDatabaseUnavailable(error)) return 'PostgreSQL';
      throw error;
    }
  });
