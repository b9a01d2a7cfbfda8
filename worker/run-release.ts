/**
 * `npm run release`: routes new runs to the workers with `WORKER_BUILD_ID`. `-- --status` lists the releases.
 * `-- --to <build id>` returns to another release whose workers still run.
 */
import { parseArgs } from 'node:util';
import { readConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { runMain, StartError } from '../runtime/process.ts';
import { awaitTemporal } from '../runtime/temporal/connect.ts';
import { listReleases, makeCurrent } from './release.ts';

await runMain(async () => {
  const { values } = parseArgs({ options: { status: { type: 'boolean' }, to: { type: 'string' } } });
  const config = readConfig(process.env, []);
  const log = createLog('warn');
  const temporal = await awaitTemporal(config.temporal, log);
  if (values.status) {
    for (const { buildId, status, openRuns } of await listReleases(temporal)) {
      const hint = status === 'drained' ? '; its workers may be stopped' : '';
      console.log(`${buildId}: ${status}, ${openRuns} runs open${hint}`);
    }
  } else {
    const buildId = values.to ?? config.worker.buildId;
    if (buildId === undefined)
      throw new StartError('WORKER_BUILD_ID is not set, so there is no release to make current.');
    const former = await makeCurrent({ temporal, log }, buildId);
    console.log(`${buildId} is current${former === undefined || former === buildId ? '' : `, in place of ${former}`}.`);
  }
  await temporal.connection.close();
});
