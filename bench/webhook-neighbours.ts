/**
 * What a receiver that hangs costs the others: `node bench/webhook-neighbours.ts`. 200 deliveries to one that hangs, 200
 * to one that is well, and analyzes meanwhile; once with slots shared by all, once with more slots, once with the cap.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { submitTextRequest } from '../contract/requests.ts';
import { DeliveryModel } from '../db/models/delivery.ts';
import { startDelivery } from '../runtime/temporal/start-delivery.ts';
import { send } from '../test/support/api.ts';
import { startTestDatabase } from '../test/support/database.ts';
import { eventually } from '../test/support/eventually.ts';
import { createAssistant, createSession, createUser } from '../test/support/factories.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { startRun } from '../test/support/run.ts';
import { startTestService } from '../test/support/service.ts';
import { testTemporal } from '../test/support/temporal.ts';

const COUNT = 200;
const OBSERVED_MS = 40_000;

const slots = (steps: number, webhooks: number, perHost: number) => ({
  WORKER_ACTIVITY_SLOTS: String(steps),
  WORKER_WEBHOOK_SLOTS: String(webhooks),
  WORKER_WEBHOOK_SLOTS_PER_HOST: String(perHost),
});

/** What becomes of the deliveries to the neighbour. */
type Neighbour = 'hangs' | 'is well' | 'has none';

const VARIANTS: Record<string, { env: Record<string, string>; neighbour: Neighbour }> = {
  '100 slots shared by all, no cap': { env: slots(1, 99, 99), neighbour: 'hangs' },
  '300 slots, 200 of them for webhooks, no cap': { env: slots(100, 200, 200), neighbour: 'hangs' },
  '300 slots, 200 of them for webhooks, 10 per host': { env: slots(100, 200, 10), neighbour: 'hangs' },
  'the same, and the neighbour is well': { env: slots(100, 200, 10), neighbour: 'is well' },
  'the same, and the neighbour has no deliveries': { env: slots(100, 200, 10), neighbour: 'has none' },
};

const wanted = process.argv.slice(2).map(Number);
const run = startRun();
await startTestDatabase();
const { temporal } = await testTemporal();
for (const [index, [name, { env, neighbour }]] of Object.entries(VARIANTS).entries()) {
  if (wanted.length > 0 && !wanted.includes(index)) continue;
  console.log(name, await measure(env, neighbour));
}
await run.stop();
process.exit(0);

async function start(url: string, count = COUNT): Promise<string> {
  const { user } = await createUser();
  const {
    id: session_id,
    user_id,
    assistant_id,
  } = await createSession(await createAssistant(user.id, { webhook_url: url }));
  const fields = { user_id, session_id, assistant_id, event: 'session.completed', payload: '{}' } as const;
  const rows = await DeliveryModel.createOwn(Array.from({ length: count }, () => fields));
  await Promise.all(rows.map((row) => startDelivery(temporal.client, row)));
  return session_id;
}

async function measure(env: Record<string, string>, neighbour: Neighbour) {
  const service = await startTestService({ env });
  const hanging = await startReceiver((response) => (neighbour === 'hangs' ? undefined : response.end()));
  const healthy = await startReceiver(undefined, '127.0.0.2');
  const stuck = await start(hanging.url, neighbour === 'has none' ? 1 : COUNT);
  await sleep(1_000);
  const began = performance.now();
  const well = await start(healthy.url);
  const analyzing = analyze(service.api);
  await eventually(
    () => DeliveryModel.query().where({ session_id: well, status: 'delivered' }).resultSize(),
    (count) => count === COUNT,
    120_000,
  );
  const healthyMs = Math.round(performance.now() - began);
  const analysesMs = await analyzing;
  await sleep(Math.max(0, OBSERVED_MS - (performance.now() - began)));
  const events = await countEvents(stuck);
  const hangingPosts = hanging.requests.length;
  await Promise.all([hanging.stop(), healthy.stop()]);
  await service.stop();
  return { healthyMs, analysesMs, hangingPosts, ...events };
}

/**
 * Analyzes five conversations, one after the other, while the deliveries are under way; returns how long each took, in
 * milliseconds.
 */
async function analyze(api: { url: string }): Promise<number[]> {
  const { user, token } = await createUser();
  const assistant = await createAssistant(user.id);
  const took: number[] = [];
  for (let i = 0; i < 5; i++) {
    const started = performance.now();
    const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] };
    await send(api, submitTextRequest, { token, body });
    took.push(Math.round(performance.now() - started));
  }
  return took;
}

/** Events in the histories of the deliveries that hang: what waiting for a place costs. */
async function countEvents(session_id: string) {
  const rows = await DeliveryModel.query().where({ session_id }).select('id');
  const described = await Promise.all(rows.map(({ id }) => temporal.client.workflow.getHandle(id).describe()));
  const lengths = described.map(({ historyLength }) => historyLength);
  const sum = lengths.reduce((total, length) => total + length, 0);
  return { eventsMean: Math.round(sum / lengths.length), eventsMost: Math.max(...lengths) };
}
