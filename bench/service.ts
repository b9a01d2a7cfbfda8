/** The service as separate processes: the API and a worker. */
import { join } from 'node:path';
import { migrate } from '../db/migrate.ts';
import type { BenchServers } from './servers.ts';
import { startProcess } from './start-process.ts';

interface BenchService {
  apiUrl: string;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchService({ env: shared, servers, directory }: BenchServers): Promise<BenchService> {
  const env = {
    ...shared,
    AUDIO_STORE: join(directory, 'audio'),
    JWT_SECRETS: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'info',
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
    stopWorker: () => worker.stop(),
    async stop() {
      await api.stop();
      await worker.stop();
    },
  };
}
