/** Runs one API process: `npm run api`. */
import { awaitDatabase } from '../db/await-database.ts';
import { checkInstallation, checkNamespace } from '../db/check-installation.ts';
import { connectDatabase } from '../db/connect.ts';
import { installationSources } from '../db/queries/queue.ts';
import { readConfig } from '../runtime/config.ts';
import { createFreeBytes } from '../runtime/free-bytes.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { startMetrics } from '../runtime/telemetry/metrics.ts';
import { runMain, stopOnSignal, type Stop } from '../runtime/process.ts';
import { connectTemporalLater } from '../runtime/temporal/connect.ts';
import { installTemporalRuntime } from '../runtime/temporal/runtime.ts';
import { startTracing } from '../runtime/telemetry/tracing.ts';
import { startApi } from './start.ts';

await runMain(async () => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const stops: Stop[] = [];
  stopOnSignal(stops, log);
  const db = connectDatabase(config.database);
  stops.push(() => db.destroy());
  stops.push(await startTracing(config.tracing));
  const metrics = await startMetrics(config.metrics, {
    ...installationSources,
    readFreeBytes: createFreeBytes(config),
  });
  stops.push(() => metrics.stop());
  if (metrics.url !== undefined) log.info({ url: metrics.url }, 'metrics are served');
  installTemporalRuntime(log, metrics.temporalAddress);
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
