/** A worker alone, for production: `npm run worker`. */
import { connectDatabase } from '../db/connect.ts';
import { countUnfinishedSessions } from '../db/queries/count-unfinished-sessions.ts';
import { readConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { startMetrics } from '../runtime/telemetry/metrics.ts';
import { runMain, stopOnSignal } from '../runtime/process.ts';
import { connectTemporal, ensureSearchAttributes } from '../runtime/temporal/connect.ts';
import { startTracing } from '../runtime/telemetry/tracing.ts';
import { startWorker } from './start.ts';

await runMain(async () => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const db = connectDatabase(config.database);
  const stopTracing = await startTracing(config.tracing);
  const metrics = await startMetrics(config.metrics, { findUnfinished: countUnfinishedSessions });
  const temporal = await connectTemporal(config.temporal, log, { metricsAddress: metrics.temporalAddress });
  await ensureSearchAttributes(temporal);
  const worker = await startWorker({ config, temporal, log });
  stopOnSignal(
    async () => {
      await worker.stop();
      await metrics.stop();
      await stopTracing();
      await temporal.connection.close();
      await db.destroy();
    },
    log,
    { isRunByNpm: process.env['npm_lifecycle_event'] !== undefined },
  );
  log.info('the worker runs');
  await worker.ended;
});
