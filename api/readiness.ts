import type { Knex } from 'knex';
import { isMigrated } from '../db/migrate.ts';
import { WorkerModel } from '../db/models/worker.ts';
import { reuseFor } from '../runtime/reuse-for.ts';
import { findNamespace } from '../runtime/temporal/connect.ts';
import type { TemporalCaller } from '../runtime/temporal/connect.ts';
import type { DiskRoom } from './audio/disk-room.ts';
import type { Health, Missing } from './health.ts';

/** Bound of the check of Temporal, and how long an answer is reused. */
const CHECK_TIMEOUT_MS = 2_000;
const REUSE_MS = 1_000;

interface ReadinessDeps {
  db: Knex;
  temporal: TemporalCaller;
  diskRoom: Pick<DiskRoom, 'isFull'>;
}

/**
 * Returns what checks that the service is ready: the database answers and is migrated, Temporal answers, and a worker
 * lives.
 */
export function createReadiness({ db, temporal, diskRoom }: ReadinessDeps): Health {
  async function check(): Promise<Missing[]> {
    const [database, namespace, workers] = await Promise.allSettled([
      isMigrated(db),
      findNamespace(temporal, CHECK_TIMEOUT_MS),
      WorkerModel.count(),
    ]);
    const missing: Missing[] = [];
    if (database.status === 'rejected') missing.push({ part: 'database', problem: 'the database does not answer' });
    else if (!database.value) missing.push({ part: 'database', problem: 'the database is not migrated' });
    if (namespace.status === 'rejected') missing.push({ part: 'temporal', problem: 'Temporal does not answer' });
    if (workers.status === 'fulfilled' && workers.value.alive === 0) {
      missing.push({ part: 'worker', problem: 'no worker is running' });
    }
    return missing;
  }

  return {
    findMissing: reuseFor(REUSE_MS, check),
    async findWarnings() {
      // What frees the disk is served by this process too.
      const isFull = await diskRoom.isFull().catch(() => true);
      return isFull ? ['the disk for recordings is full: uploads are refused'] : [];
    },
  };
}
