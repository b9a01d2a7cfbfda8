/** Configures Temporal's SDK, which writes to the service's log. */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Log } from '../telemetry/log.ts';

let isInstalled = false;

/** Installs the SDK's runtime, one per process. Call this before the first connection. */
export function installTemporalRuntime(log: Log, metricsAddress?: string): void {
  if (isInstalled) return;
  isInstalled = true;
  const telemetryOptions = metricsAddress && { metrics: { prometheus: { bindAddress: metricsAddress } } };
  Runtime.install({ logger: adapt(log), shutdownSignals: [], ...(telemetryOptions && { telemetryOptions }) });
}

/** IDs and names. Other metadata of the SDK may contain content. */
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

/** The SDK warns about workers that run activities only, as the one for transcriptions does. */
const EXPECTED = 'No workflows registered';

function adapt(log: Log): DefaultLogger {
  return new DefaultLogger('DEBUG', ({ level, message, meta = {} }) => {
    if (message.startsWith(EXPECTED)) return;
    const kept: Record<string, unknown> = Object.fromEntries(KEPT.map((key) => [key, meta[key] as unknown]));
    const fields = { ...kept, ...(meta['error'] !== undefined && { err: meta['error'] as unknown }) };
    // The SDK logs every start and stop of its parts as "info".
    if (level === 'ERROR') log.error(fields, message);
    else if (level === 'WARN') log.warn(fields, message);
    else log.debug(fields, message);
  });
}
