/** Runs one API process: `npm run api`. */
import { awaitDatabase } from '../db/await-database.ts';
import { beginProcess } from '../db/begin-process.ts';
import { checkInstallation, checkNamespace } from '../db/check-installation.ts';
import { readConfig } from '../runtime/settings/config.ts';
import { refuseArguments, runMain } from '../runtime/process/process.ts';
import { connectTemporalLater } from '../runtime/temporal/connect.ts';
import { startApi } from './start.ts';

await runMain(async () => {
  refuseArguments();
  const config = readConfig(process.env);
  const { log, stops, db } = await beginProcess(config);
  const temporal = connectTemporalLater(config.temporal, log);
  stops.push(() => temporal.connection.close());
  await awaitDatabase(db, log);
  await checkInstallation({ db, config, log });
  const api = await startApi({ config, db, temporal, log });
  stops.push(() => api.stop());
  log.info({ url: api.url }, 'API is listening');
  await temporal.connection.ensureConnected();
  await checkNamespace(db, temporal, log);
});
