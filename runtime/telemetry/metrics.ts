/** Metrics in Prometheus' text format, on a port of their own: docs/operations.md. Costs nothing unless a port is set. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import type { InstallationSources } from './installation-gauges.ts';

export interface RunningMetrics {
  /** The page with the metrics; undefined when they are off. */
  url: string | undefined;
  /** The address at which Temporal's SDK serves its own metrics, which are passed on. */
  temporalAddress: string | undefined;
  stop(): Promise<void>;
}

/** Starts to serve metrics. Must be called before the first connection to Temporal, when the SDK takes its settings. */
export async function startMetrics(config: Config['metrics'], sources: InstallationSources): Promise<RunningMetrics> {
  if (config.port === undefined) return { url: undefined, temporalAddress: undefined, stop: () => Promise.resolve() };
  const temporalAddress = `127.0.0.1:${await findFreePort()}`;
  const { serveMetrics } = await import('./metrics-server.ts');
  const server = await serveMetrics({ host: config.host, port: config.port }, sources, temporalAddress);
  return { ...server, temporalAddress };
}

/** Returns a free port: the SDK can't say which one it took. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
