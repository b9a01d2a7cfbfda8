/**
 * Measures how long user B waits while thousands of user A's sessions are queued. B submits and waits for results, first with
 * an empty queue, then behind A's backlog. The model takes one second. See docs/performance.md, "The queue".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase } from '../db/connect.ts';
import { SessionModel } from '../db/models/session.ts';
import { openAccount, SLOW } from './account.ts';
import { quantile, repeat } from './load.ts';
import type { BenchServers } from './servers.ts';
import { startBenchService } from './service.ts';

const REQUESTS_OF_B = 20;
const SUBMITTED_AT_ONCE = 10;
/** The worker handles the first of A's workflows before B starts. */
const SETTLE_MS = 15_000;

export async function benchQueue(servers: BenchServers, sessions: number): Promise<void> {
  const service = await startBenchService(servers);
  const assistant = { type: 'text', system_prompt: `Summarize. ${SLOW}` } as const;
  const db = connectDatabase({ url: servers.servers.DATABASE_URL, poolMax: 2 });
  const countOpen = () => SessionModel.query().whereNull('completed_at').resultSize();
  const rows: string[][] = [];
  try {
    const [a, b] = [await openAccount(service.apiUrl, 'a'), await openAccount(service.apiUrl, 'b')];
    const ofB = await b.addAssistant(assistant);
    const submitB = async (): Promise<number> => {
      const startedAt = performance.now();
      await b.submit(ofB);
      return performance.now() - startedAt;
    };
    for (let i = 0; i < REQUESTS_OF_B; i++) await submitB(); // warm-up
    rows.push(['B alone, one after the other', ...(await measure(submitB, 1)), '0']);
    rows.push(['B alone, 20 at once', ...(await measure(submitB, REQUESTS_OF_B)), '0']);

    console.log(`Queuing ${sessions} sessions of A …`);
    await service.stopWorker();
    const ofA = await a.addAssistant(assistant);
    await repeat(sessions, SUBMITTED_AT_ONCE, () => a.submit(ofA, { prefer: 'respond-async' }));
    await service.startWorker();
    await sleep(SETTLE_MS);
    for (const [name, atOnce] of [
      ['B behind A, one after the other', 1],
      ['B behind A, 20 at once', REQUESTS_OF_B],
    ] as const) {
      rows.push([name, ...(await measure(submitB, atOnce)), String(await countOpen())]);
    }
    console.log('\n| | p50 s | p95 s | sessions of A still open |\n|---|---|---|---|');
    for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  } finally {
    await service.stop();
    await db.destroy();
  }
}

/** Returns p50 and p95 of B's requests, in seconds. */
async function measure(submit: () => Promise<number>, atOnce: number): Promise<string[]> {
  const durations = (await repeat(REQUESTS_OF_B, atOnce, submit)).sort((x, y) => x - y);
  return [0.5, 0.95].map((part) => (quantile(durations, part) / 1_000).toFixed(2));
}
