/** `npm run worker`: one worker process, for production. */
import { awaitDatabase } from '../db/await-database.ts';
import { checkInstallation, checkNamespace } from '../db/check-installation.ts';
import { connectDatabase } from '../db/connect.ts';
import { installationSources } from '../db/queries/queue.ts';
import { readConfig } from '../runtime/config.ts';
import { createFreeBytes } from '../runtime/free-bytes.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { startMetrics } from '../runtime/telemetry/metrics.ts';
import { runMain, stopOnSignal, type Stop } from '../runtime/process.ts';
import { awaitTemporal, ensureSearchAttributes } from '../runtime/temporal/connect.ts';
import { createStuckCount } from '../runtime/temporal/runs.ts';
import { installTemporalRuntime } from '../runtime/temporal/runtime.ts';
import { startTracing } from '../runtime/telemetry/tracing.ts';
import { startWorker } from './start.ts';

await runMain(async () => {
  const config = readConfig(process.env, ['ENCRYPTION_KEYS']);
  const log = createLog(config.logLevel);
  const stops: Stop[] = [];
  stopOnSignal(stops, log);
  const db = connectDatabase(config.database);
  stops.push(() => db.destroy());
  stops.push(await startTracing(config.tracing));
  const stuck: { count?: () => Promise<number | undefined> } = {};
  const sources = {
    ...installationSources,
    readFreeBytes: createFreeBytes(config),
    countStuck: async () => stuck.count?.(),
  };
  const metrics = await startMetrics(config.metrics, sources);
  stops.push(() => metrics.stop());
  if (metrics.url !== undefined) log.info({ url: metrics.url }, 'metrics are served');
  installTemporalRuntime(log, metrics.temporalAddress);
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
