/** The servers of every benchmark: PostgreSQL, Temporal, and a process with the stand-ins and a webhook receiver. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../local/postgres.ts';
import { findTemporalCli } from '../local/temporal-cli.ts';
import { startTemporalServer } from '../local/temporal-server.ts';
import { PROVIDERS } from '../contract/values/providers.ts';
import { standInEnvironment } from '../local/stand-ins/environment.ts';
import { familyMs } from './family-ms.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { startProcess } from './start-process.ts';

export interface BenchServers {
  directory: string;
  webhookUrl: string;
  standInsUrl: string;
  /** Environment variables with the servers' addresses. */
  servers: { DATABASE_URL: string; TEMPORAL_ADDRESS: string };
  /** Returns the processor time of PostgreSQL and of Temporal, in milliseconds. */
  cpuMs(): [number, number];
  /** Environment variables of the service, without rate limits. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

export async function startServers(): Promise<BenchServers> {
  const directory = mkdtempSync(join(tmpdir(), 'cas-bench-'));
  mkdirSync(join(directory, 'run'));
  const log = createLog('warn');
  const postgres = await startPostgres({ directory, password: 'bench', log });
  const cli = await findTemporalCli(process.env, console.log);
  const temporal = await startTemporalServer({ cli, directory, log });
  const outside = await startProcess('stand-ins.ts', {}, /^http:\S+ http:\S+\n/);
  const [standInsUrl = '', webhookUrl = ''] = outside.url.trim().split(' ');
  const servers = { DATABASE_URL: postgres.databaseUrl, TEMPORAL_ADDRESS: temporal.address };
  return {
    directory,
    servers,
    webhookUrl,
    standInsUrl,
    cpuMs: () => [familyMs(postgres.pid() ?? 0), familyMs(temporal.pid() ?? 0)],
    env: { ...servers, ...standInEnvironment(PROVIDERS, standInsUrl), RATE_LIMIT_PER_MINUTE: '0', PORT: '0' },
    async stop() {
      await outside.stop();
      await temporal.stop();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
