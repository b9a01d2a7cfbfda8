/**
 * What deliveries that wait cost new sessions: `node bench/waiting-deliveries.ts [count]`. The serial latency of a text
 * session, idle and while 5,000 deliveries wait in their ten-minute timers, in one run.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { submitTextRequest } from '../contract/requests.ts';
import { DeliveryAttemptModel } from '../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../db/models/delivery.ts';
import { startDelivery } from '../runtime/temporal/start-delivery.ts';
import { send } from '../test/support/api.ts';
import { startTestDatabase } from '../test/support/database.ts';
import { eventually } from '../test/support/eventually.ts';
import { createAssistant, createSession, createUser } from '../test/support/factories.ts';
import { startRun } from '../test/support/run.ts';
import { startTestService } from '../test/support/service.ts';
import { testTemporal } from '../test/support/temporal.ts';

const COUNT = Number(process.argv[2] ?? 5_000);
const SERIAL = 200;
const WARM_UP = 100;
const STARTS_AT_ONCE = 50;
const SETTLE_MS = 10_000;

/** Nobody listens there: the third attempt fails at once, and the wait after it is ten minutes. */
const CLOSED = 'http://127.0.0.1:9/';
const ATTEMPTS_MADE = 2;

const run = startRun();
await startTestDatabase();
const { temporal } = await testTemporal();
const service = await startTestService({
  env: { WORKER_WEBHOOK_SLOTS_PER_HOST: '200', RATE_LIMIT_PER_MINUTE: '0' },
});
const idle = await measure();
console.log(`idle: p50 ${idle.p50.toFixed(1)} ms, p90 ${idle.p90.toFixed(1)} ms`);
const session = await fill();
await sleep(SETTLE_MS);
const busy = await measure();
const waiting = await DeliveryModel.query().where({ session_id: session, status: 'pending' }).resultSize();
console.log(`${waiting} waiting: p50 ${busy.p50.toFixed(1)} ms, p90 ${busy.p90.toFixed(1)} ms`);
console.log(`ratio: p50 ${(busy.p50 / idle.p50).toFixed(2)}, p90 ${(busy.p90 / idle.p90).toFixed(2)}`);
await service.stop();
await run.stop();
process.exit(0);

async function fill(): Promise<string> {
  const { user } = await createUser();
  const owner = await createSession(await createAssistant(user.id, { webhook_url: CLOSED }), {
    status: 'completed',
    completed_at: new Date(),
  });
  const { id: session_id, user_id, assistant_id } = owner;
  const fields = { user_id, session_id, assistant_id, event: 'session.completed', payload: '{}' } as const;
  const rows = await DeliveryModel.createOwn(Array.from({ length: COUNT }, () => fields));
  const start = async () => {
    for (let row = rows.pop(); row; row = rows.pop()) {
      await startDelivery(temporal.client, row, { attemptsMade: ATTEMPTS_MADE, webhookUrl: CLOSED });
    }
  };
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, start));
  const ended = () => DeliveryAttemptModel.query().whereNotNull('next_attempt_at').resultSize();
  await eventually(ended, (count) => count >= COUNT, 600_000);
  return session_id;
}

async function measure(): Promise<{ p50: number; p90: number }> {
  const { user, token } = await createUser();
  const assistant = await createAssistant(user.id);
  const took: number[] = [];
  for (let i = 0; i < WARM_UP + SERIAL; i++) {
    const started = performance.now();
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] };
    await send(service.api, submitTextRequest, { token, body });
    took.push(performance.now() - started);
  }
  const sorted = took.slice(WARM_UP).sort((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.floor(sorted.length * q)] ?? Number.NaN;
  return { p50: quantile(0.5), p90: quantile(0.9) };
}
