/** Starts the whole service on one machine: all servers at the same time, then each process after those it needs. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../runtime/settings/config.ts';
import type { Environment } from '../runtime/settings/environment.ts';
import { runBackwards, type Stop } from '../runtime/process/process.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { openDataDir, settingsOf } from './data-dir.ts';
import type { Say } from './fetch-once.ts';
import { findModelServer } from './find-model-server.ts';
import { defaultAllowHosts } from './loopback-webhooks.ts';
import { requireFreePort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { findKeyless, standInEnvironment } from './stand-ins/environment.ts';
import { startStandIns } from './stand-ins/server.ts';
import { findTemporalCli } from './temporal-cli.ts';
import { startTemporalServer } from './temporal-server.ts';

/** Written to `DATA_DIR/endpoints.json`. */
export interface Endpoints {
  api_url: string;
  temporal_address: string;
  /** Null for an external Temporal, whose UI address is unknown. */
  temporal_ui_url: string | null;
  temporal_namespace: string;
  database_url: string;
  /** Present if METRICS_PORT is set. */
  metrics_url?: string;
}

interface LocalService {
  endpoints: Endpoints;
  stop(): Promise<void>;
}

/**
 * Starts everything and returns when it is ready. If a part fails to start or `signal` aborts, stops what was started and throws.
 * @param say prints the progress of long steps.
 */
export async function startLocal(env: Environment, say: Say, signal: AbortSignal = endless): Promise<LocalService> {
  const stops: Stop[] = [];
  const stop = () => runBackwards(stops);
  try {
    return { endpoints: await startParts(env, { say, stops, signal }), stop };
  } catch (error) {
    await stop();
    signal.throwIfAborted(); // an interrupted wait has another error
    throw error;
  }
}

const endless = new AbortController().signal;

/** Placeholders for the addresses of servers that are not started yet. */
const NOT_STARTED = { DATABASE_URL: 'postgresql://127.0.0.1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' };

interface Start {
  say: Say;
  /** Receives a stop function for each started part. Run them in reverse order. */
  stops: Stop[];
  signal: AbortSignal;
}

async function startParts(env: Environment, { say, stops, signal }: Start): Promise<Endpoints> {
  const dataDir = openDataDir(env['DATA_DIR'] || '.data');
  stops.push(() => dataDir.release());
  // With PORT=0, several services may start at the same time.
  const prefersUsualPort = env['PORT'] !== '0';

  const defaults = { WEBHOOK_ALLOW_HOSTS: defaultAllowHosts(env, say), ...settingsOf(dataDir, env), ...env };
  // Checks settings and ports before anything starts, so mistakes are reported immediately.
  const { http, logLevel, temporal } = readConfig({ ...defaults, ...NOT_STARTED });
  const log = createLog(logLevel);
  await requireFreePort(http);

  const servers = [obtainDatabase(), obtainTemporal(), obtainProviders(), findModelServer(env, say)] as const;
  // Loading the service takes as long as the servers need to start.
  const loading = import('./service.ts');
  // If one fails, waits until the others have started before stopping them.
  await Promise.allSettled([...servers, loading]);
  const [postgres, temporalServer, standIns, modelServer] = await Promise.all(servers);
  const { startService } = await loading;
  signal.throwIfAborted();
  const config = readConfig({
    ...defaults,
    ...standIns,
    ...modelServer,
    DATABASE_URL: postgres,
    TEMPORAL_ADDRESS: temporalServer.address,
    ...(!env['DATABASE_URL'] && { DATABASE_DISK: dataDir.path }),
    ...(temporalServer.uiUrl !== null && { TEMPORAL_UI_URL: temporalServer.uiUrl }),
  });
  const urls = await startService({ config, directory: dataDir.path, log, say, stops, signal });

  const endpoints: Endpoints = {
    api_url: urls.api,
    temporal_address: temporalServer.address,
    temporal_ui_url: temporalServer.uiUrl,
    temporal_namespace: config.temporal.namespace,
    database_url: postgres,
    ...(urls.metrics !== undefined && { metrics_url: urls.metrics }),
  };
  const file = join(dataDir.path, 'endpoints.json');
  writeFileSync(file, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
  stops.push(() => rmSync(file, { force: true }));
  return endpoints;

  async function obtainDatabase(): Promise<string> {
    if (env['DATABASE_URL']) return env['DATABASE_URL'];
    say('PostgreSQL: starting …');
    const { postgres_password: password } = dataDir.secrets;
    const running = await startPostgres({ directory: dataDir.path, password, prefersUsualPort, log, signal });
    stops.push(() => running.stop());
    return running.databaseUrl;
  }

  async function obtainTemporal(): Promise<{ address: string; uiUrl: string | null }> {
    if (env['TEMPORAL_ADDRESS']) return { address: env['TEMPORAL_ADDRESS'], uiUrl: null };
    const cli = await findTemporalCli(env, say, signal);
    say(`Temporal: starting ${cli} …`);
    const { path: directory } = dataDir;
    const { namespace } = temporal;
    const running = await startTemporalServer({ cli, directory, namespace, prefersUsualPort, log, signal });
    stops.push(() => running.stop());
    return running;
  }

  async function obtainProviders(): Promise<Environment> {
    const keyless = findKeyless(env);
    if (keyless.length === 0 || env['NODE_ENV'] === 'production') return {};
    const running = await startStandIns();
    stops.push(() => running.stop());
    say(
      `Providers: no key for ${keyless.join(', ')}. Stand-ins replace them, and their sessions are marked "simulated".`,
    );
    return standInEnvironment(keyless, running.url);
  }
}
