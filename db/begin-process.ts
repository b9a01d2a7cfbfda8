/** Starts what every process of the service needs first. */
import type { Config } from '../runtime/settings/config.ts';
import { createFreeBytes } from '../runtime/process/free-bytes.ts';
import { stopOnSignal, type Stop } from '../runtime/process/process.ts';
import type { InstallationSources } from '../runtime/telemetry/installation-gauges.ts';
import { createLog, type Log } from '../runtime/telemetry/log.ts';
import { startMetrics } from '../runtime/telemetry/metrics.ts';
import { startTracing } from '../runtime/telemetry/tracing.ts';
import { installTemporalRuntime } from '../runtime/temporal/runtime.ts';
import { connectDatabase } from './connect.ts';
import { installationSources } from './queries/queue.ts';

type OwnSources = Pick<InstallationSources, 'countStuck'>;

/** Begins a process of its own, which a signal stops. Add to `stops` after each start. */
export async function beginProcess(config: Config, sources?: OwnSources) {
  const log = createLog(config.logLevel);
  for (const warning of config.warnings) log.warn(warning);
  const stops: Stop[] = [];
  stopOnSignal(stops, log);
  const db = connectDatabase(config.database);
  stops.push(() => db.destroy());
  const url = await startTelemetry({ config, log, stops }, sources);
  if (url !== undefined) log.info({ url }, 'metrics are served');
  return { log, stops, db };
}

/** Starts tracing, metrics and the SDK of Temporal. Returns the URL of the metrics; undefined if they are off. */
export async function startTelemetry(
  { config, log, stops }: { config: Config; log: Log; stops: Stop[] },
  sources: OwnSources = {},
): Promise<string | undefined> {
  stops.push(await startTracing(config.tracing));
  const readFreeBytes = createFreeBytes(config);
  const metrics = await startMetrics(config.metrics, { ...installationSources, readFreeBytes, ...sources });
  stops.push(() => metrics.stop());
  installTemporalRuntime(log, metrics.temporalAddress);
  return metrics.url;
}
