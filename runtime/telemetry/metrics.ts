/** Metrics in Prometheus' text format on a separate port: docs/operations.md. Nothing is loaded unless the port is set. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Config } from '../settings/config.ts';
import type { InstallationSources } from './installation-gauges.ts';

export interface RunningMetrics {
  /** URL of the metrics; undefined if they are off. */
  url: string | undefined;
  /** Address at which Temporal's SDK serves its own metrics, which are included. */
  temporalAddress: string | undefined;
  stop(): Promise<void>;
}

/** Starts serving metrics. Call this before the first connection to Temporal, which configures the SDK. */
export async function startMetrics(config: Config['metrics'], sources: InstallationSources): Promise<RunningMetrics> {
  if (config.port === undefined) return { url: undefined, temporalAddress: undefined, stop: () => Promise.resolve() };
  const temporalAddress = `127.0.0.1:${await findFreePort()}`;
  const { serveMetrics } = await import('./metrics-server.ts');
  const server = await serveMetrics({ host: config.host, port: config.port }, sources, temporalAddress);
  return { ...server, temporalAddress };
}

/** Returns a free port, because the SDK does not report the port it uses. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await probe[Symbol.asyncDispose]();
  return port;
}
