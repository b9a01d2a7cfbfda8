import type { Knex } from 'knex';
import type { Log } from '../runtime/telemetry/log.ts';
import { waitUntilThere } from '../runtime/wait-until-there.ts';
import { isDatabaseUnavailable } from './connect.ts';
import { isMigrated } from './migrate.ts';

/** Resolves when PostgreSQL answers and has this release's schema. Throws where waiting would not help. */
export async function awaitDatabase(db: Knex, log: Log): Promise<void> {
  await waitUntilThere(log, async () => {
    try {
      return (await isMigrated(db)) ? undefined : 'the schema of this release (npm run migrate)';
    } catch (error) {
      if (isDatabaseUnavailable(error)) return 'PostgreSQL';
      throw error;
    }
  });
}
