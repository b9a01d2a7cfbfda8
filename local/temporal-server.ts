/** Runs Temporal's dev server with its UI. The data is stored in one file. */
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../contract/workflows.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { choosePort, freePort } from './ports.ts';
import { endOrphan, supervise, type Supervised } from './supervise.ts';
import { hiddenAddress, serveTemporalUi } from './temporal-ui.ts';

interface RunningTemporal extends Supervised {
  address: string;
  uiUrl: string;
}

/** The data file. SQLite creates more files with this prefix. Only this user can read them. */
const TEMPORAL_DATABASE = 'temporal.db';

const TRIES = 3;

const USUAL_PORT = 7233;
const USUAL_UI_PORT = 8233;

/** Makes a session three times as fast on a small machine: docs/performance.md. */
const SQLITE_PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];
const POLL_RPS = 1_000; // the default of 20 adds up to 50 ms to every task that is not eager
const DYNAMIC_CONFIG = [
  'system.enableActivityEagerExecution=true',
  'system.enableEagerWorkflowStart=true',
  ...['transfer', 'timer'].map((queue) => `history.${queue}ProcessorMaxPollRPS=${POLL_RPS}`),
  // Otherwise each use of a search attribute reads the definitions of all from the database: 20 times for a voice session.
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  // The task queues serve workspaces alternately. With one partition, their shares are exact.
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

interface TemporalServerOptions {
  cli: string;
  /** Contains the server's data, log and pid file. */
  directory: string;
  /** Whether to try the usual ports first. False if several servers may start at the same time. */
  prefersUsualPort?: boolean;
  /** The usual port. Default: 7233. */
  usualPort?: number;
  /** Created besides the server's own. Default: the server's `default`. */
  namespace?: string;
  log: Log;
  /** Cancels the start. */
  signal?: AbortSignal | undefined;
}

/** Starts the server on free ports. If another program takes a port in the meantime, tries other ports. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<RunningTemporal> {
  for (let triesLeft = TRIES - 1; ; triesLeft--) {
    try {
      return await startOnFreePorts(options);
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof Error && error.message.includes('address already in use'))) throw error;
    }
  }
}

async function startOnFreePorts(options: TemporalServerOptions): Promise<RunningTemporal> {
  const { cli, directory, prefersUsualPort, usualPort = USUAL_PORT, namespace = 'default', log, signal } = options;
  const files = { pidFile: join(directory, 'run', 'temporal.pid'), logFile: join(directory, 'run', 'temporal.log') };
  const stopSignal = 'SIGTERM';
  await endOrphan({ ...files, stopSignal });
  const port = await choosePort(usualPort, prefersUsualPort);
  const httpPort = await freePort();
  const ui = { hostname: hiddenAddress(), port: await freePort() };
  const namespaces = [ownNamespace(directory), namespace];
  const flags = {
    ip: '127.0.0.1',
    port,
    'ui-ip': ui.hostname,
    'ui-port': ui.port,
    'http-port': httpPort,
    namespace: namespaces,
    'db-filename': join(directory, TEMPORAL_DATABASE),
    'log-level': 'error',
    'sqlite-pragma': SQLITE_PRAGMAS,
    'dynamic-config-value': [...DYNAMIC_CONFIG, `frontend.httpAllowedHosts=["127.0.0.1:${httpPort}"]`],
    'search-attribute': SEARCH_ATTRIBUTES.map((name) => `${name}=Keyword`),
  };
  const args = Object.entries(flags).flatMap(([name, given]) => [given].flat().map((value) => `--${name}=${value}`));
  const command = { command: cli, args: ['server', 'start-dev', ...args] };
  const server = await supervise(
    { name: 'Temporal', ...command, ...files, stopSignal, isReady: () => serves(`127.0.0.1:${port}`, namespaces) },
    log,
    signal,
  );
  for (const file of readdirSync(directory)) {
    if (file.startsWith(TEMPORAL_DATABASE)) chmodSync(join(directory, file), 0o600);
  }
  const uiPort = await choosePort(USUAL_UI_PORT, prefersUsualPort);
  const closeUi = await serveTemporalUi(uiPort, ui).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const stop = async () => {
    closeUi();
    await server.stop();
  };
  return { ...server, address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}`, stop };
}

/** Returns the name of a namespace that no server of other data has. The server of another start may answer on the same port. */
const ownNamespace = (directory: string) =>
  `data-${createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 16)}`;

/** Returns whether the namespaces are ready. On a busy machine, the port opens before that. */
const serves = (address: string, namespaces: readonly string[]) =>
  answers(address, async ({ workflowService }) => {
    for (const namespace of namespaces) await workflowService.describeNamespace({ namespace });
  });

/** Returns whether the server accepts a connection and `call` succeeds. */
export async function answers(
  address: string,
  call: (connection: NativeConnection) => Promise<void> = async () => undefined,
): Promise<boolean> {
  // Loaded while the server starts, because it takes a third of a second.
  const { NativeConnection } = await import('@temporalio/worker');
  let connection: NativeConnection | undefined;
  try {
    connection = await NativeConnection.connect({ address });
    await call(connection);
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
