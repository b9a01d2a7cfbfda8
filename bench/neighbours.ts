/**
 * What one user who takes all that there is costs another: the latency of the other's sessions and lists beside each
 * load, and the memory of API and worker, which are processes of their own. docs/performance.md, "Neighbours"
 */
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { migrate } from '../db/migrate.ts';
import { openAccount } from './account.ts';
import type { BenchAccount } from './account.ts';
import { quantile } from './load.ts';
import { greedyLoads } from './neighbours-loads.ts';
import type { Load } from './neighbours-loads.ts';
import { script, startProcess, watchPeaks } from './processes.ts';
import type { BenchServers } from './servers.ts';

const WARM_UP = 50;
/** The other user is watched for this long at the least, and until the load is over. */
const WATCHED_MS = 20_000;

export async function benchNeighbours({ env: shared, servers, directory }: BenchServers): Promise<void> {
  const env = {
    ...shared,
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
  try {
    const other = await openAccount(api.url, 'other');
    const ask = await prepareCalls(other);
    for (let i = 0; i < WARM_UP; i++) await ask();
    let quiet: Took | undefined;
    console.log('\n| beside | session p50 ms | p90 | ratio | list p50 ms | ratio | API MB | worker MB | |');
    console.log('|---|---|---|---|---|---|---|---|---|');
    for (const load of greedyLoads({ apiUrl: api.url, ...servers })) {
      await load.prepare();
      const peaks = watchPeaks([api, worker]);
      const { took, said } = await watch(load, ask);
      const memory = peaks.stop().map((mb) => mb.toFixed(0));
      quiet ??= took;
      console.log(`| ${[load.name, ...form(took, quiet), ...memory, said].join(' | ')} |`);
    }
  } finally {
    await api.stop();
    await worker.stop();
  }
}

/** Milliseconds of each call. */
interface Took {
  sessions: number[];
  lists: number[];
}

type Ask = (took?: Took) => Promise<void>;

/** Returns what makes one session and reads one list, as a user does who wants little. */
async function prepareCalls({ client, addAssistant }: BenchAccount): Promise<Ask> {
  const assistant_id = await addAssistant({ type: 'text' });
  const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
  const timed = async (call: Promise<unknown>) => {
    const started = performance.now();
    await call;
    return performance.now() - started;
  };
  return async (took = { sessions: [], lists: [] }) => {
    took.sessions.push(
      await timed(client.call('analyze', 'POST', '/v1/requests/text', { assistant_id, conversation })),
    );
    took.lists.push(await timed(client.call('list assistants', 'GET', '/v1/assistants')));
  };
}

async function watch(load: Load, ask: Ask): Promise<{ took: Took; said: string }> {
  const took: Took = { sessions: [], lists: [] };
  const enough = new AbortController();
  let isOver = false;
  const running = load.run(enough.signal).finally(() => (isOver = true));
  for (const started = performance.now(); !isOver;) {
    await ask(took);
    if (performance.now() - started > WATCHED_MS) enough.abort();
  }
  return { took, said: await running };
}

function form(took: Took, quiet: Took): string[] {
  const at = (calls: number[], q: number) =>
    quantile(
      calls.toSorted((a, b) => a - b),
      q,
    );
  const ratio = (kind: keyof Took) => (at(took[kind], 0.5) / at(quiet[kind], 0.5)).toFixed(2);
  const ms = (kind: keyof Took, q: number) => at(took[kind], q).toFixed(1);
  return [ms('sessions', 0.5), ms('sessions', 0.9), ratio('sessions'), ms('lists', 0.5), ratio('lists')];
}
