import type { Knex } from 'knex';
import { TASK_QUEUE } from '../contract/workflows.ts';
import { isMigrated } from '../db/migrate.ts';
import type { Temporal } from '../runtime/temporal.ts';
import type { Health } from './health.ts';

/** Bound of each check, and how long its answer is reused: probes come often and from many sides. */
const CHECK_TIMEOUT_MS = 2_000;
const REUSE_MS = 1_000;

/** A worker polls at least once a minute. */
const POLLER_ALIVE_MS = 70_000;

/** Ready: the database answers and is migrated, Temporal answers, and a worker polls for workflows. */
export function createReadiness({ db, temporal }: { db: Knex; temporal: Temporal }): Health {
  let cached: { at: number; problems: Promise<string[]> } | undefined;

  async function check(): Promise<string[]> {
    const [database, workflow] = await Promise.allSettled([isMigrated(db), hasWorker(temporal)]);
    return [
      database.status === 'rejected'
        ? 'the database does not answer'
        : !database.value && 'the database is not migrated',
      workflow.status === 'rejected' ? 'Temporal does not answer' : !workflow.value && 'no worker is running',
    ].filter((problem) => problem !== false);
  }

  return {
    findProblems() {
      if (!cached || Date.now() - cached.at > REUSE_MS) cached = { at: Date.now(), problems: check() };
      return cached.problems;
    },
  };
}

/** temporal.api.enums.v1.TaskQueueType; the package that declares it is not a dependency of ours. */
const TASK_QUEUE_TYPE_WORKFLOW = 1 as never;

async function hasWorker({ connection, namespace }: Temporal): Promise<boolean> {
  const { pollers } = await connection.withDeadline(Date.now() + CHECK_TIMEOUT_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: TASK_QUEUE },
      taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  return (pollers ?? []).some(
    (poller) => Date.now() - Number(poller.lastAccessTime?.seconds ?? 0) * 1_000 < POLLER_ALIVE_MS,
  );
}
