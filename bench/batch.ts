/**
 * A batch of reanalyses whose worker is killed in the middle: how long it takes, whether each session is made and paid for
 * once, and what the owner's own requests take beside its first half. docs/performance.md, "Batches"
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch } from '../contract/batches.ts';
import { connectDatabase } from '../db/connect.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { SessionModel } from '../db/models/session.ts';
import { standInEnvironment } from '../local/vendors/environment.ts';
import { createSession } from '../test/support/factories.ts';
import { openAccount } from './account.ts';
import type { BenchAccount } from './account.ts';
import { quantile } from './load.ts';
import type { BenchServers } from './servers.ts';
import { startBenchService } from './service.ts';
import { startVendorGate } from './vendor-gate.ts';

/** Sessions that are stored at once. */
const AT_ONCE = 20;

/** Requests of the owner's own that are timed without the batch, and the pause between two. */
const WARM_UP = 10;
const ALONE = 40;
const PAUSE_MS = 200;

const POLL_MS = 500;

/** @param latencyMs what the vendor takes; 0: it answers at once. */
export async function benchBatch(servers: BenchServers, sessions: number, latencyMs: number): Promise<void> {
  const vendor = await startVendorGate(servers.vendorsUrl, latencyMs);
  const standIns = standInEnvironment(['openai'], vendor.url) as Record<string, string>;
  const service = await startBenchService(servers, standIns);
  const db = connectDatabase({ url: servers.servers.DATABASE_URL, poolMax: AT_ONCE });
  try {
    const account = await openAccount(service.apiUrl);
    const assistantId = await account.addAssistant({ type: 'text' });
    await fill(assistantId, sessions);
    await timeRequests(account, assistantId, (made) => made < WARM_UP);
    const alone = await timeRequests(account, assistantId, (made) => made < ALONE);
    const began = performance.now();
    const body = { action: 'reanalyze', filter: { assistant_id: assistantId, status: 'completed' } };
    const { batch_id, total } = await account.client.call<Batch>('begin the batch', 'POST', '/v1/batches', body);
    const read = () => account.client.call<Batch>('read the batch', 'GET', `/v1/batches/${batch_id}`);
    let isHalf = false;
    const beside = timeRequests(account, assistantId, () => !isHalf);
    await until(read, ({ completed }) => completed >= total / 2);
    isHalf = true;
    const during = await beside;
    await service.replaceWorker();
    const done = await until(read, ({ ended_at }) => ended_at !== null);
    const tookS = (performance.now() - began) / 1_000;
    const made = await SessionModel.query().where({ batch_id }).select('id', 'source_session_id');
    const { rows } = await db.raw<{ rows: [{ paid: number; calls: number }] }>(
      `select count(*)::int as calls, count(distinct session_id)::int as paid from vendor_calls
       where status = 'succeeded' and session_id in (select id from sessions where batch_id = ?)`,
      [batch_id],
    );
    const sources = new Set(made.map(({ source_session_id }) => source_session_id)).size;
    console.log('\n| sessions | made | sources | completed | paid | calls that succeeded | seconds |');
    console.log('|---|---|---|---|---|---|---|');
    const counts = [total, made.length, sources, done.completed, rows[0].paid, rows[0].calls, tookS.toFixed(0)];
    console.log(`| ${counts.join(' | ')} |`);
    console.log('\n| own requests | alone, p50 and p95 ms | beside the batch | ratio of p95 |\n|---|---|---|---|');
    const [p95Alone, p95Beside] = [at(alone, 0.95), at(during, 0.95)];
    const cells = [
      `${at(alone, 0.5).toFixed(0)}, ${p95Alone.toFixed(0)}`,
      `${at(during, 0.5).toFixed(0)}, ${p95Beside.toFixed(0)}`,
    ];
    console.log(`| ${during.length} | ${cells.join(' | ')} | ${(p95Beside / p95Alone).toFixed(2)} |`);
  } finally {
    await service.stop();
    await vendor.stop();
    await db.destroy();
  }
}

async function fill(assistantId: string, sessions: number): Promise<void> {
  const assistant = await AssistantModel.query().findById(assistantId).throwIfNotFound();
  const ended = { status: 'completed' as const, completed_at: new Date() };
  for (let stored = 0; stored < sessions; stored += AT_ONCE) {
    const count = Math.min(AT_ONCE, sessions - stored);
    await Promise.all(Array.from({ length: count }, () => createSession(assistant, ended)));
  }
}

/** Returns the milliseconds that each request of the owner's took, one after the other. */
async function timeRequests(account: BenchAccount, assistant_id: string, goesOn: (made: number) => boolean) {
  const took: number[] = [];
  const body = { assistant_id, conversation: [{ role: 'client', text: 'My parcel has not arrived.' }] };
  while (goesOn(took.length)) {
    const began = performance.now();
    await account.client.call('submit', 'POST', '/v1/requests/text', body);
    took.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  return took;
}

async function until(read: () => Promise<Batch>, isSo: (batch: Batch) => boolean): Promise<Batch> {
  for (;;) {
    const batch = await read();
    if (isSo(batch)) return batch;
    await sleep(POLL_MS);
  }
}

const at = (took: number[], q: number) =>
  quantile(
    took.toSorted((a, b) => a - b),
    q,
  );
