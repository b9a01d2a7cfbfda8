/**
 * Starts what every benchmark runs on: PostgreSQL, Temporal, vendors that answer at once, and a receiver of webhooks.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoReceiver } from '../local/demo-receiver.ts';
import { startPostgres } from '../local/postgres.ts';
import { findTemporalCli } from '../local/temporal-cli.ts';
import { startTemporalServer } from '../local/temporal-server.ts';
import { PROVIDERS } from '../contract/constants.ts';
import { standInEnvironment } from '../local/vendors/environment.ts';
import { startVendors } from '../local/vendors/server.ts';
import { createLog } from '../runtime/telemetry/log.ts';

export interface BenchServers {
  /** Removed at the end. */
  directory: string;
  webhookUrl: string;
  vendorsUrl: string;
  /** What points a bare process at the servers. */
  servers: { DATABASE_URL: string; TEMPORAL_ADDRESS: string };
  /** What points the service at all of them, and lets one user ask without bounds. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

export async function startServers(): Promise<BenchServers> {
  const directory = mkdtempSync(join(tmpdir(), 'cas-bench-'));
  mkdirSync(join(directory, 'run'));
  const log = createLog('warn');
  const postgres = await startPostgres({ directory, password: 'bench', log });
  const cli = await findTemporalCli(process.env, console.log);
  const temporal = await startTemporalServer({ cli, directory, isFair: true, log });
  const vendors = await startVendors();
  const receiver = await startDemoReceiver({ quiet: true });
  const servers = { DATABASE_URL: postgres.databaseUrl, TEMPORAL_ADDRESS: temporal.address };
  const standIns = standInEnvironment(PROVIDERS, vendors.url) as Record<string, string>;
  return {
    ...{ directory, servers, webhookUrl: receiver.url, vendorsUrl: vendors.url },
    env: { ...servers, ...standIns, RATE_LIMIT_PER_MINUTE: '0', PORT: '0' },
    async stop() {
      await receiver.stop();
      await vendors.stop();
      await temporal.stop();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
