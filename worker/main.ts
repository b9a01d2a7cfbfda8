/** `npm run worker`: one worker process, for production. */
import { awaitDatabase } from '../db/await-database.ts';
import { beginProcess } from '../db/begin-process.ts';
import { checkInstallation, checkNamespace } from '../db/check-installation.ts';
import { readConfig } from '../runtime/settings/config.ts';
import { refuseArguments, runMain } from '../runtime/process/process.ts';
import { awaitTemporal, ensureSearchAttributes } from '../runtime/temporal/connect.ts';
import { createStuckCount } from '../runtime/temporal/runs.ts';
import { startWorker } from './start.ts';

await runMain(async () => {
  refuseArguments();
  const config = readConfig(process.env, ['ENCRYPTION_KEYS']);
  const stuck: { count?: () => Promise<number | undefined> } = {};
  const { log, stops, db } = await beginProcess(config, { countStuck: async () => stuck.count?.() });
  await awaitDatabase(db, log);
  await checkInstallation({ db, config, log });
  const temporal = await awaitTemporal(config.temporal, log);
  stops.push(() => temporal.connection.close());
  await checkNamespace(db, temporal, log);
  stuck.count = createStuckCount(temporal);
  await ensureSearchAttributes(temporal, log);
  const worker = await startWorker({ config, temporal, log });
  stops.push(() => worker.stop());
  log.info('the worker runs');
  await worker.ended;
});
