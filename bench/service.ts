/** The service of a benchmark: the API and a worker that can be killed, as processes of their own. */
import { join } from 'node:path';
import { migrate } from '../db/migrate.ts';
import { script, startProcess } from './processes.ts';
import type { MeasuredProcess } from './processes.ts';
import type { BenchServers } from './servers.ts';

export interface BenchService {
  apiUrl: string;
  /** Kills the worker as a power cut does, and starts another. */
  replaceWorker(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchService(
  { env: shared, servers, directory }: Pick<BenchServers, 'env' | 'servers' | 'directory'>,
  more: Record<string, string> = {},
): Promise<BenchService> {
  const env = {
    ...shared,
    AUDIO_STORE: join(directory, 'audio'),
    JWT_SECRET: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'info',
    ...more,
  };
  await migrate(servers.DATABASE_URL);
  const startWorker = () => startProcess(script('../worker/main.ts'), env, /the worker runs/);
  let worker: MeasuredProcess = await startWorker();
  const api = await startProcess(script('../api/main.ts'), env);
  return {
    apiUrl: api.url,
    async replaceWorker() {
      await worker.kill();
      worker = await startWorker();
    },
    async stop() {
      await api.stop();
      await worker.stop();
    },
  };
}
