import type { Knex } from 'knex';
import { isMigrated } from '../db/migrate.ts';
import { findPollers } from '../runtime/temporal/connect.ts';
import type { Temporal } from '../runtime/temporal/connect.ts';
import type { Health } from './health.ts';

/** Bound of each check, and how long its answer is reused: probes come often and from many sides. */
const CHECK_TIMEOUT_MS = 2_000;
const REUSE_MS = 1_000;

/**
 * Returns what checks that the service is ready: the database answers and is migrated, Temporal answers, and a worker
 * polls for workflows.
 */
export function createReadiness({ db, temporal }: { db: Knex; temporal: Temporal }): Health {
  let cached: { at: number; problems: Promise<string[]> } | undefined;

  async function check(): Promise<string[]> {
    const [database, workflow] = await Promise.allSettled([isMigrated(db), findPollers(temporal, CHECK_TIMEOUT_MS)]);
    return [
      database.status === 'rejected'
        ? 'the database does not answer'
        : !database.value && 'the database is not migrated',
      workflow.status === 'rejected'
        ? 'Temporal does not answer'
        : workflow.value.length === 0 && 'no worker is running',
    ].filter((problem) => problem !== false);
  }

  return {
    findProblems() {
      if (!cached || Date.now() - cached.at > REUSE_MS) cached = { at: Date.now(), problems: check() };
      return cached.problems;
    },
  };
}
