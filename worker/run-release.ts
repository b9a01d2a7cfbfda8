/** `npm run release`: routes new runs to a release of the workers. */
import { parseArgs } from 'node:util';
import { connectDatabase } from '../db/connect.ts';
import { WorkerModel } from '../db/models/worker.ts';
import { readConfig } from '../runtime/settings/config.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { runMain, StartError } from '../runtime/process/process.ts';
import { awaitTemporal } from '../runtime/temporal/connect.ts';
import { listReleases, makeCurrent } from './release.ts';

const USAGE = `Usage: npm run release [-- --status | --to BUILD_ID]

Without options, routes new runs to the workers with WORKER_BUILD_ID.
  --status        List the releases, and whether their workers may be stopped.
  --to BUILD_ID   Return to another release whose workers still run.`;

function readOptions() {
  const options = { status: { type: 'boolean' }, to: { type: 'string' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${USAGE}`);
  }
}

await runMain(async () => {
  const { status, to, help } = readOptions();
  if (help) {
    console.log(USAGE);
    return;
  }
  const config = readConfig(process.env, []);
  const db = connectDatabase({ ...config.database, poolMax: 1 });
  const log = createLog('warn');
  const temporal = await awaitTemporal(config.temporal, log);
  if (status) {
    const [releases, workers] = await Promise.all([listReleases(temporal), WorkerModel.count()]);
    if (releases.length === 0)
      console.log('No release yet. Start workers with WORKER_BUILD_ID, then run npm run release.');
    for (const { buildId, status, openRuns } of releases) {
      const isAlive = workers.releases.includes(buildId);
      const hint = !isAlive ? '; no worker is running' : status === 'drained' ? '; its workers may be stopped' : '';
      console.log(`${buildId}: ${status}, ${openRuns} runs open${hint}`);
    }
  } else {
    const buildId = to ?? config.worker.buildId;
    if (buildId === undefined)
      throw new StartError('WORKER_BUILD_ID is not set, so there is no release to make current.');
    const former = await makeCurrent({ temporal, log }, buildId);
    console.log(`${buildId} is current${former === undefined || former === buildId ? '' : `, in place of ${former}`}.`);
  }
  await temporal.connection.close();
  await db.destroy();
});
