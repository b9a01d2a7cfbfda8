/**
 * Measures a provider outage while sessions of several users wait, with a killed worker: the number of calls, results, costs
 * and webhooks per session, and the time until the sessions end. See docs/performance.md, "A provider outage".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase } from '../db/connect.ts';
import { DeliveryAttemptModel } from '../db/models/delivery-attempt.ts';
import { ProviderCallModel } from '../db/models/provider-call.ts';
import { SessionModel } from '../db/models/session.ts';
import { standInEnvironment } from '../local/stand-ins/environment.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { connectTemporal } from '../runtime/temporal/connect.ts';
import { openAccount } from './account.ts';
import { startProviderGate } from './provider-gate.ts';
import type { BenchServers } from './servers.ts';
import { startBenchService } from './service.ts';

const USERS = 5;
const POLL_MS = 500;
const END_TIMEOUT_MS = 20 * 60_000;

export async function benchOutage(servers: BenchServers, sessions: number, awayS: number): Promise<void> {
  const gate = await startProviderGate(servers.standInsUrl);
  const service = await startBenchService(servers, {
    ...standInEnvironment(['openai'], gate.url),
    WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
  });
  const db = connectDatabase({ url: servers.servers.DATABASE_URL, poolMax: 4 });
  try {
    const users = await Promise.all(
      Array.from({ length: USERS }, async (_, index) => {
        const account = await openAccount(service.apiUrl, `user${index}`);
        const settings = { type: 'text', webhook_url: servers.webhookUrl, on_provider_outage: 'wait' };
        return { ...account, assistantId: await account.addAssistant(settings) };
      }),
    );
    const [first] = users as [(typeof users)[number]];
    const otherAssistant = await first.addAssistant({ type: 'text', llm_provider: 'anthropic' });
    gate.state = 'away';
    const leftAt = Date.now();
    const ids: string[] = [];
    for (let index = 0; index < sessions; index++) {
      const { submit, assistantId } = users[index % USERS] ?? first;
      ids.push(await submit(assistantId, { prefer: 'respond-async' }));
    }
    const ofBench = () => SessionModel.query().whereIn('id', ids);
    await until(async () => (await ofBench().whereNotNull('waiting').resultSize()) === sessions);
    const untilAllWaitS = (Date.now() - leftAt) / 1_000;
    const { calls: callsUntilThen } = gate.unanswered;
    gate.forget();
    await sleep(leftAt + awayS * 500 - Date.now());
    await service.stopWorker('SIGKILL');
    await service.startWorker();
    const otherStartedAt = performance.now();
    await first.submit(otherAssistant);
    const otherProviderMs = performance.now() - otherStartedAt;
    await sleep(leftAt + awayS * 1_000 - Date.now());

    gate.state = 'there';
    const backAt = Date.now();
    const delivered = () =>
      DeliveryAttemptModel.query()
        .joinRaw('join deliveries on deliveries.id = delivery_id')
        .whereIn('session_id', ids)
        .where('outcome', 'succeeded');
    await until(async () => (await delivered().resultSize()) >= sessions);
    const ends = await ofBench().select('id', 'status', 'completed_at');
    const endedS = ends.map((end) => ((end.completed_at?.getTime() ?? Number.NaN) - backAt) / 1_000);
    const paid = await ProviderCallModel.query().whereIn('session_id', ids).where({ status: 'succeeded' });
    const rows = {
      'sessions, users, outage s': `${sessions}, ${USERS}, ${awayS}`,
      'all sessions wait after s; calls until then': `${untilAllWaitS.toFixed(1)}; ${callsUntilThen}`,
      'calls while all wait, most at once': `${gate.unanswered.calls}, ${gate.unanswered.atOnce}`,
      'session of another provider meanwhile, ms': otherProviderMs.toFixed(0),
      completed: ends.filter(({ status }) => status === 'completed').length,
      'answered calls, sessions with one': `${paid.length}, ${new Set(paid.map((call) => call.session_id)).size}`,
      'delivered webhooks': await delivered().resultSize(),
      'first and last end after the outage, s': `${Math.min(...endedS).toFixed(0)}, ${Math.max(...endedS).toFixed(0)}`,
      'events per session': await countEvents(servers.servers.TEMPORAL_ADDRESS, ids),
    };
    console.log('\n| | |\n|---|---|');
    for (const [name, value] of Object.entries(rows)) console.log(`| ${name} | ${value} |`);
  } finally {
    await service.stop();
    await gate.stop();
    await db.destroy();
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (await isDone()) return;
  }
  throw new Error('timeout');
}

/** Returns the mean and the maximum length of the workflows' histories. */
async function countEvents(address: string, ids: readonly string[]): Promise<string> {
  const { client, connection } = await connectTemporal(
    { address, namespace: 'default', tls: false, apiKey: undefined },
    createLog('warn'),
  );
  const lengths: number[] = [];
  for (const id of ids) lengths.push((await client.workflow.getHandle(id).describe()).historyLength);
  await connection.close();
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return `${mean.toFixed(0)}, ${Math.max(...lengths)}`;
}
