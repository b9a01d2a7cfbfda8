/**
 * What one user who takes all that there is costs another: the latency of the other's sessions and lists beside each
 * load, and the memory of API and worker, which are processes of their own. docs/performance.md, "Neighbours"
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PROVIDERS } from '../contract/constants.ts';
import { migrate } from '../db/migrate.ts';
import { standInEnvironment } from '../local/vendors/environment.ts';
import { quantile } from './load.ts';
import { greedyLoads } from './neighbours-loads.ts';
import type { Load } from './neighbours-loads.ts';
import { script, startProcess, watchPeaks } from './processes.ts';
import type { Took } from './other-user.ts';
import type { BenchServers } from './servers.ts';

/** A load that does not end by itself is watched for this long. */
const WATCHED_MS = 20_000;

export async function benchNeighbours({ env: shared, servers, directory }: BenchServers): Promise<void> {
  // In a process of their own: vendors are no part of what is measured.
  const vendors = await startProcess(script('../local/vendors/run-vendors.ts'), { PORT: '0' });
  const env = {
    ...shared,
    ...(standInEnvironment(PROVIDERS, vendors.url) as Record<string, string>),
    AUDIO_STORE: join(directory, 'audio'),
    JWT_SECRET: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    MAX_SESSIONS_IN_FLIGHT_PER_USER: '5',
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  await migrate(servers.DATABASE_URL);
  const worker = await startProcess(script('../worker/main.ts'), { ...env, LOG_LEVEL: 'info' }, /the worker runs/);
  const api = await startProcess(script('../api/main.ts'), { ...env, LOG_LEVEL: 'info' });
  const other = new Worker(new URL('./other-user.ts', import.meta.url), { workerData: { apiUrl: api.url } });
  try {
    await once(other, 'message');
    let quiet: Took | undefined;
    console.log('\n| beside | session p50 ms | ratio | p90 | ratio | list p50 ms | ratio | API MB | worker MB | |');
    console.log('|---|---|---|---|---|---|---|---|---|---|');
    for (const load of greedyLoads({ apiUrl: api.url, ...servers })) {
      await load.prepare();
      const peaks = watchPeaks([api, worker]);
      const { took, said } = await watch(load, other);
      const memory = peaks.stop().map((mb) => mb.toFixed(0));
      quiet ??= took;
      console.log(`| ${[load.name, ...form(took, quiet), ...memory, said].join(' | ')} |`);
    }
  } finally {
    await other.terminate();
    await api.stop();
    await worker.stop();
    await vendors.stop();
  }
}

/** Returns what the other user's calls took while the load ran, or for a while where that goes on until it is told. */
async function watch(load: Load, other: Worker): Promise<{ took: Took; said: string }> {
  const enough = new AbortController();
  setTimeout(() => enough.abort(), WATCHED_MS);
  other.postMessage('start');
  const said = await load.run(enough.signal);
  other.postMessage('stop');
  const [took] = (await once(other, 'message')) as [Took];
  return { took, said };
}

function form(took: Took, quiet: Took): string[] {
  const at = (calls: number[], q: number) =>
    quantile(
      calls.toSorted((a, b) => a - b),
      q,
    );
  const both = (kind: keyof Took, q: number) => [
    at(took[kind], q).toFixed(1),
    (at(took[kind], q) / at(quiet[kind], q)).toFixed(2),
  ];
  return [...both('sessions', 0.5), ...both('sessions', 0.9), ...both('lists', 0.5)];
}
