/** Sets up the SDK of Temporal: what it logs goes into the service's own log. */
import { Runtime } from '@temporalio/worker';
import type { Logger, LogLevel, LogMetadata } from '@temporalio/worker';
import type { Log } from '../telemetry/log.ts';

let isInstalled = false;

/** Sets up the SDK's runtime, of which there is one per process; to be called before the first connection. */
export function installTemporalRuntime(log: Log, metricsAddress?: string): void {
  if (isInstalled) return;
  isInstalled = true;
  const telemetryOptions = metricsAddress && { metrics: { prometheus: { bindAddress: metricsAddress } } };
  Runtime.install({ logger: adapt(log), shutdownSignals: [], ...(telemetryOptions && { telemetryOptions }) });
}

/** Ids and names; everything else the SDK attaches may quote what a workflow works on. */
const KEPT = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'activityId',
  'attempt',
  'taskQueue',
  'sdkComponent',
];

function adapt(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta: LogMetadata = {}) => {
    const kept: Record<string, unknown> = Object.fromEntries(KEPT.map((key) => [key, meta[key] as unknown]));
    const fields = { ...kept, ...(meta['error'] !== undefined && { err: meta['error'] as unknown }) };
    // The SDK's "info" tells of every start and stop of its parts.
    if (level === 'ERROR') log.error(fields, message);
    else if (level === 'WARN') log.warn(fields, message);
    else log.debug(fields, message);
  };
  return {
    log: write,
    trace: () => undefined,
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}
