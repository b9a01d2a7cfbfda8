/** Changes an installation under load to another release, with the same steps as deploy/upgrade.sh. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addApi, removeApi, startWorkers, type Installation } from './installation.ts';
import { runOnce, type Release } from './service.ts';

const DRAIN_TIMEOUT_MS = 300_000;
const DRAIN_POLL_MS = 3_000;

/**
 * Resolves when only `next` is running. For a while, workers and APIs of both releases run together. The schema is that of the
 * newer release all the time.
 */
export async function changeRelease(installation: Installation, next: Release, togetherMs: number): Promise<void> {
  const { settings, release: former, workers: formerWorkers } = installation;
  await runOnce(next, settings, ['db/run-migrations.ts']);
  // Only the former release runs, on the schema of the next one.
  await sleep(togetherMs / 2);
  installation.workers = [...formerWorkers, ...(await startWorkers(installation, next))];
  await runOnce(next, settings, ['worker/run-release.ts', '--to', next.buildId]);
  await addApi(installation, next);
  await removeApi(installation);
  // One API and two workers of each release run.
  await sleep(togetherMs);
  await addApi(installation, next);
  await removeApi(installation);
  await untilDrained(installation, former);
  await Promise.all(formerWorkers.map((worker) => worker.stop()));
  installation.workers = installation.workers.filter((worker) => !formerWorkers.includes(worker));
  installation.release = next;
}

/** Resolves when Temporal reports that the release is drained: none of its workflows is open. */
async function untilDrained({ settings }: Installation, release: Release): Promise<void> {
  const isDrained = async () =>
    (await runOnce(release, settings, ['worker/run-release.ts', '--status']))
      .split('\n')
      .some((line) => line.startsWith(`${release.buildId}: drained, 0 runs open`));
  for (const deadline = Date.now() + DRAIN_TIMEOUT_MS; !(await isDrained()); await sleep(DRAIN_POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`workflows of ${release.buildId} are still open`);
  }
}
