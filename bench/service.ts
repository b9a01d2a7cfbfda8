/** Processes of a benchmark, and the service: the API and a worker. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../db/migrate.ts';
import type { BenchServers } from './servers.ts';

interface BenchProcess {
  /** The part of the output that matched `ready`; by default the URL. */
  url: string;
  pid: number;
  /** Stops the process. Default: SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** @param script path relative to this folder. */
export async function startProcess(
  script: string,
  env: Record<string, string>,
  ready = /http:\/\/[\w.]+:\d+/,
): Promise<BenchProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      const found = ready.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`${script} ended: ${output}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}

interface BenchService {
  apiUrl: string;
  startWorker(): Promise<void>;
  stopWorker(signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchService(
  { env: shared, servers, directory }: Pick<BenchServers, 'env' | 'servers' | 'directory'>,
  more: Record<string, string> = {},
): Promise<BenchService> {
  const env = {
    ...shared,
    AUDIO_STORE: join(directory, 'audio'),
    JWT_SECRETS: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'info',
    ...more,
  };
  await migrate(servers.DATABASE_URL);
  const launchWorker = () => startProcess('../worker/main.ts', env, /the worker runs/);
  let worker = await launchWorker();
  const api = await startProcess('../api/main.ts', env);
  return {
    apiUrl: api.url,
    async startWorker() {
      worker = await launchWorker();
    },
    stopWorker: (signal) => worker.stop(signal),
    async stop() {
      await api.stop();
      await worker.stop();
    },
  };
}
