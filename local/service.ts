/** Runs the API and the worker in one process, when PostgreSQL and Temporal are ready. */
import { startApi } from '../api/start.ts';
import { startTelemetry } from '../db/begin-process.ts';
import { awaitServer } from '../db/await-database.ts';
import { checkInstallation, checkNamespace } from '../db/check-installation.ts';
import { connectDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import type { Config } from '../runtime/settings/config.ts';
import type { Stop } from '../runtime/process/process.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { awaitTemporal, ensureSearchAttributes } from '../runtime/temporal/connect.ts';
import { startWorker } from '../worker/start.ts';
import { continueOpenRuns } from './continue-runs.ts';
import type { Say } from './fetch-once.ts';

interface ServiceParts {
  config: Config;
  /** The data directory. */
  directory: string;
  log: Log;
  say: Say;
  /** Receives a stop function for each started part. */
  stops: Stop[];
  signal: AbortSignal;
}

interface ServiceUrls {
  api: string;
  /** Undefined without METRICS_PORT. */
  metrics: string | undefined;
}

/** Returns when the API accepts requests. */
export async function startService({ config, directory, log, say, stops, signal }: ServiceParts): Promise<ServiceUrls> {
  await awaitServer(config.database.url, log, signal);
  await migrate(config.database.url);
  const db = connectDatabase(config.database);
  stops.push(() => db.destroy());
  await checkInstallation({ db, config, log });
  signal.throwIfAborted();
  const metrics = await startTelemetry({ config, log, stops });
  const temporal = await awaitTemporal(config.temporal, log, { startsEagerly: true, signal });
  stops.push(() => temporal.connection.close());
  await checkNamespace(db, temporal, log);
  await ensureSearchAttributes(temporal, log);
  signal.throwIfAborted();
  if (config.worker.buildId === undefined) await continueOpenRuns(temporal, directory, log);
  say('Worker: starting …');
  const worker = await startWorker({ config, temporal, log });
  stops.push(() => worker.stop());
  signal.throwIfAborted();
  const api = await startApi({ config, db, temporal, log });
  stops.push(() => api.stop());
  return { api: api.url, metrics };
}
