/** An installation under load goes to another release, as deploy/upgrade.sh leads one there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addApi, removeApi, startWorkers } from './installation.ts';
import type { Installation } from './installation.ts';
import { runOnce } from './service.ts';
import type { Release } from './service.ts';

const DRAIN_TIMEOUT_MS = 300_000;
const DRAIN_POLL_MS = 3_000;

/**
 * Resolves when `next` alone serves. For a while both releases' workers run, and both releases' APIs: the schema is the
 * newer one's all the time.
 */
export async function changeRelease(installation: Installation, next: Release, togetherMs: number): Promise<void> {
  const { settings, release: former, workers: formerWorkers } = installation;
  await runOnce(next, settings, ['db/run-migrations.ts']);
  // The former release alone, on the schema of the next one.
  await sleep(togetherMs / 2);
  installation.workers = [...formerWorkers, ...(await startWorkers(installation, next))];
  await runOnce(next, settings, ['worker/run-release.ts', '--to', next.buildId]);
  await addApi(installation, next);
  await removeApi(installation);
  // One API of each release, and workers of both.
  await sleep(togetherMs);
  await addApi(installation, next);
  await removeApi(installation);
  await untilDrained(installation, former);
  await Promise.all(formerWorkers.map((worker) => worker.stop()));
  installation.workers = installation.workers.filter((worker) => !formerWorkers.includes(worker));
  installation.release = next;
}

/** Resolves when Temporal is sure that no run is open which only the release's workers can go on with. */
async function untilDrained({ settings }: Installation, release: Release): Promise<void> {
  const isDrained = async () =>
    (await runOnce(release, settings, ['worker/run-release.ts', '--status']))
      .split('\n')
      .some((line) => line.startsWith(`${release.buildId}: drained, 0 runs open`));
  for (const deadline = Date.now() + DRAIN_TIMEOUT_MS; !(await isDrained()); await sleep(DRAIN_POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`runs of ${release.buildId} are still open`);
  }
}
