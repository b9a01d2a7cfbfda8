/** Runs the processes of a release: APIs, workers and commands. */
import { delimiter, dirname, join } from 'node:path';
import { supervise } from '../../local/supervise.ts';
import { StartError } from '../../runtime/process.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/log.ts';
import { createPart, type Part } from './part.ts';
import { nextPort } from './ports.ts';

export interface Release {
  buildId: string;
  /** Folder with the sources and their dependencies. */
  directory: string;
}

/** Settings of every process of the installation. */
export interface ServiceSettings {
  env: Record<string, string>;
  /** Folder for logs. */
  directory: string;
}

/** Starts with the project's Node, because the launcher runs `node`. */
const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);

export type Api = Part & { url: string };

export async function createApi(release: Release, settings: ServiceSettings): Promise<Api> {
  const port = await nextPort();
  const env = { PORT: String(port), TRUSTED_PROXIES: '1', DATABASE_POOL_MAX: '10' };
  const url = `http://127.0.0.1:${port}`;
  return { ...(await createProcess('api', release, settings, { env, healthUrl: `${url}/healthz` })), url };
}

export function createWorker(release: Release, settings: ServiceSettings): Promise<Part> {
  return createProcess('worker', release, settings, { env: { WORKER_BUILD_ID: release.buildId } });
}

interface Process {
  env: Record<string, string>;
  /** Default: `/healthz` on the metrics port. */
  healthUrl?: string;
}

async function createProcess(
  kind: 'api' | 'worker',
  { buildId, directory }: Release,
  settings: ServiceSettings,
  { env, healthUrl }: Process,
): Promise<Part> {
  const metricsPort = await nextPort();
  const name = `${kind}-${buildId}-${metricsPort}`;
  const url = healthUrl ?? `http://127.0.0.1:${metricsPort}/healthz`;
  return createPart(() =>
    supervise(
      {
        name,
        command: process.execPath,
        args: [join(directory, kind, 'main.ts')],
        env: { PATH, HOME: process.env['HOME'], ...settings.env, METRICS_PORT: String(metricsPort), ...env },
        pidFile: join(settings.directory, 'run', `${name}.pid`),
        logFile: join(settings.directory, 'run', `${name}.log`),
        stopSignal: 'SIGTERM',
        isReady: () =>
          fetch(url).then(
            (answer) => answer.ok,
            () => false,
          ),
        isKeptUp: false,
      },
      silentLog,
    ),
  );
}

/** Like `restart: on-failure:10` in docker-compose.yml. */
const MAX_TRIES = 10;

/** Runs a program of the release, repeatedly if it fails. Returns its output. */
export async function runOnce(
  { buildId, directory }: Release,
  { env }: ServiceSettings,
  [script, ...args]: [string, ...string[]],
): Promise<string> {
  const command = [join(directory, script), ...args];
  for (let tries = 1; ; tries++) {
    const { code, output, errors } = await runCommand(process.execPath, command, { ...env, WORKER_BUILD_ID: buildId });
    if (code === 0) return output;
    if (tries === MAX_TRIES) throw new StartError(`${script} of ${buildId} ended with ${String(code)}:\n${errors}`);
  }
}
