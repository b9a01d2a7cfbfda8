/** Health check of a worker's container: ends with 0 if a worker on this host asks Temporal for work. */
import { hostname } from 'node:os';
import { readConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { runMain, StartError } from '../runtime/process.ts';
import { connectTemporal, findPollers } from '../runtime/temporal/connect.ts';

const TIMEOUT_MS = 5_000;

await runMain(async () => {
  const temporal = await connectTemporal(readConfig(process.env).temporal, createLog('silent'));
  const pollers = await findPollers(temporal, TIMEOUT_MS);
  if (!pollers.some((identity) => identity.endsWith(`@${hostname()}`))) {
    throw new StartError('No worker on this host asks Temporal for work.');
  }
  process.exit(0);
});
