/**
 * A vendor that is away while sessions of several users wait for it, and a worker that is killed meanwhile: how often the
 * vendor is called, whether each session ends, is paid for and told of once, and how soon after its answer.
 * docs/performance.md, "A vendor that is away"
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase } from '../db/connect.ts';
import { SessionModel } from '../db/models/session.ts';
import { VendorCallModel } from '../db/models/vendor-call.ts';
import { standInEnvironment } from '../local/vendors/environment.ts';
import { openAccount } from './account.ts';
import type { BenchAccount } from './account.ts';
import { countEvents } from './count-events.ts';
import type { BenchServers } from './servers.ts';
import { startBenchService } from './service.ts';
import { startVendorGate } from './vendor-gate.ts';

const USERS = 5;
const POLL_MS = 500;

/** Longer than the longest pause between two probes, and time for all to end. */
const END_TIMEOUT_MS = 20 * 60_000;

export async function benchOutage(servers: BenchServers, sessions: number, awayS: number): Promise<void> {
  const gate = await startVendorGate(servers.vendorsUrl);
  const receiver = await startCountingReceiver();
  const service = await startBenchService(servers, {
    ...(standInEnvironment(['openai'], gate.url) as Record<string, string>),
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
  });
  const db = connectDatabase({ url: servers.servers.DATABASE_URL, poolMax: 4 });
  try {
    const users = await Promise.all(
      Array.from({ length: USERS }, async (_, index) => {
        const account = await openAccount(service.apiUrl, `user${index}`);
        const settings = { type: 'text', webhook_url: receiver.url, on_vendor_outage: 'wait' };
        return { account, assistantId: await account.addAssistant(settings) };
      }),
    );
    gate.state = 'away';
    const leftAt = Date.now();
    const ids: string[] = [];
    for (let left = sessions; left > 0; left--) {
      const { account, assistantId } = users[left % USERS] as (typeof users)[number];
      ids.push(await submit(service.apiUrl, account, assistantId));
    }
    const waiting = () => SessionModel.query().whereIn('id', ids).whereNotNull('waiting_for_provider').resultSize();
    await until(async () => (await waiting()) === sessions);
    const untilAllWaitS = (Date.now() - leftAt) / 1_000;
    const { calls: callsUntilThen } = gate.unanswered;
    gate.forget();
    await sleep(leftAt + awayS * 500 - Date.now());
    await service.replaceWorker();
    const undisturbed = await timeOtherVendor(users[0]?.account);
    await sleep(leftAt + awayS * 1_000 - Date.now());

    gate.state = 'there';
    const backAt = Date.now();
    const open = () => SessionModel.query().whereIn('id', ids).whereNull('completed_at').resultSize();
    await until(async () => (await open()) === 0 && receiver.posts.size >= sessions);
    const ends = await SessionModel.query().whereIn('id', ids).select('id', 'status', 'completed_at');
    const endedS = ends.map((end) => ((end.completed_at?.getTime() ?? Number.NaN) - backAt) / 1_000);
    const paid = await VendorCallModel.query().whereIn('session_id', ids).where({ status: 'succeeded' });
    const posts = [...receiver.posts.values()];
    print({
      'sessions, users, seconds away': `${sessions}, ${USERS}, ${awayS}`,
      'all wait after, s; calls until then': `${untilAllWaitS.toFixed(1)}; ${callsUntilThen}`,
      'calls while all wait, most at once': `${gate.unanswered.calls}, ${gate.unanswered.atOnce}`,
      'a session of another vendor meanwhile, ms': undisturbed.toFixed(0),
      completed: ends.filter(({ status }) => status === 'completed').length,
      'calls that were answered, of sessions': `${paid.length}, ${new Set(paid.map((call) => call.session_id)).size}`,
      'webhooks, of sessions': `${posts.reduce((sum, times) => sum + times.length, 0)}, ${posts.length}`,
      'webhooks before the answer': posts.flat().filter((at) => at < backAt).length,
      'from the answer to the first and the last end, s': `${Math.min(...endedS).toFixed(0)}, ${Math.max(...endedS).toFixed(0)}`,
      'events a session': await countEvents(servers.servers.TEMPORAL_ADDRESS, ids),
    });
  } finally {
    await service.stop();
    await receiver.stop();
    await gate.stop();
    await db.destroy();
  }
}

/** Submits a conversation, again where a busy machine was too slow; returns the session's id. */
async function submit(apiUrl: string, { authorization }: BenchAccount, assistant_id: string): Promise<string> {
  const asked = { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID() };
  const headers = { authorization, 'content-type': 'application/json', ...asked };
  const body = JSON.stringify({ assistant_id, conversation: [{ role: 'client', text: 'My parcel has not arrived.' }] });
  for (;;) {
    const answer = await fetch(`${apiUrl}/api/v1/requests/text`, { method: 'POST', headers, body });
    if (answer.ok) return ((await answer.json()) as { session_id: string }).session_id;
    console.log(`not accepted, HTTP ${answer.status}: ${await answer.text()}`);
    await sleep(POLL_MS);
  }
}

/** Returns how long an owner of sessions that wait waits for one that another vendor answers. */
async function timeOtherVendor(account: BenchAccount | undefined): Promise<number> {
  if (!account) throw new Error('there are no users');
  const assistant_id = await account.addAssistant({ type: 'text', llm_provider: 'anthropic' });
  const body = { assistant_id, conversation: [{ role: 'client', text: 'My parcel has not arrived.' }] };
  const began = performance.now();
  await account.client.call('submit', 'POST', '/v1/requests/text', body);
  return performance.now() - began;
}

/** Answers every webhook, and notes when each session was told of. */
async function startCountingReceiver() {
  const posts = new Map<string, number[]>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { session_id } = JSON.parse(text) as { session_id: string };
      posts.set(session_id, [...(posts.get(session_id) ?? []), Date.now()]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    posts,
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (await isSo()) return;
  }
  throw new Error('it did not happen in time');
}

function print(facts: Record<string, string | number>): void {
  console.log('\n| | |\n|---|---|');
  for (const [name, value] of Object.entries(facts)) console.log(`| ${name} | ${value} |`);
}
