/** What the service adds to a call, beside the least that a durable one could. docs/performance.md */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccount } from './account.ts';
import { FORM_TYPE, voiceForm } from './form.ts';
import { measure } from './load.ts';
import type { Measured, Target } from './load.ts';
import { script, startProcess } from './processes.ts';
import type { BenchServers } from './servers.ts';

const AT_REST_MS = 5_000;

const SPOKEN = new URL('../samples/support-call.mp3', import.meta.url);

/** Activities of a workflow, and which of them wakes the caller. */
interface Shape {
  activities: number;
  wakesCaller: number;
}

const TEXT: Shape = { activities: 1, wakesCaller: 1 };
const TEXT_AND_WEBHOOK: Shape = { activities: 2, wakesCaller: 1 };
const VOICE: Shape = { activities: 2, wakesCaller: 2 };
const VOICE_AND_WEBHOOK: Shape = { activities: 3, wakesCaller: 2 };

interface Row extends Measured {
  name: string;
  /** A session is compared with the bare workflow of the same shape. */
  shape: Shape;
}

export interface Case extends Pick<Row, 'name' | 'shape'> {
  target: Target;
}

/**
 * Measures every kind of session against the bare workflow that has as many activities, and prints the table.
 * @param scale part of the usual number of calls.
 */
export async function benchLatency(servers: BenchServers, scale: number): Promise<void> {
  const bare: Row[] = [];
  for (const shape of [TEXT, TEXT_AND_WEBHOOK, VOICE, VOICE_AND_WEBHOOK]) {
    bare.push(await measureBare(servers, shape, scale));
  }
  print(bare, await measureService(servers, scale));
}

async function measureBare({ servers }: BenchServers, shape: Shape, scale: number): Promise<Row> {
  const { activities, wakesCaller } = shape;
  const name = `bare workflow, activity ${wakesCaller} of ${activities} answers`;
  console.log(`Measuring: ${name} …`);
  const env = { ...servers, ACTIVITIES: String(activities), WAKES_CALLER: String(wakesCaller) };
  const service = await startProcess(script('bare/run-bare-workflows.ts'), env);
  try {
    return { name, shape, ...(await measure({ url: service.url, headers: {}, body: '' }, scale)) };
  } finally {
    await service.stop();
  }
}

async function measureService(servers: BenchServers, scale: number): Promise<Row[]> {
  const env = { ...servers.env, DATA_DIR: join(servers.directory, 'service'), LOG_LEVEL: 'warn' };
  const service = await startProcess(script('../local/main.ts'), env);
  try {
    await sleep(AT_REST_MS);
    console.log(`API and worker at rest: ${service.residentMb().toFixed(0)} MB resident`);
    const rows: Row[] = [];
    for (const { name, shape, target } of await prepareCases(service.url.replace(/\/api$/, ''), servers)) {
      console.log(`Measuring: ${name} …`);
      rows.push({ name, shape, ...(await measure(target, scale)) });
      await sleep(AT_REST_MS);
      console.log(`API and worker after it: ${service.residentMb().toFixed(0)} MB resident`);
    }
    return rows;
  } finally {
    await service.stop();
  }
}

/** Returns the calls to measure: written and spoken conversations, without and with a webhook. */
export async function prepareCases(apiUrl: string, { webhookUrl }: BenchServers): Promise<Case[]> {
  const { addAssistant, authorization: Authorization } = await openAccount(apiUrl);
  const conversation = [
    { role: 'operator', text: 'Good morning, how can I help?' },
    { role: 'client', text: 'My parcel has not arrived.' },
  ];
  const text = async (webhook_url: string | null): Promise<Target> => ({
    url: `${apiUrl}/api/v1/requests/text`,
    headers: { Authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ assistant_id: await addAssistant({ type: 'text', webhook_url }), conversation }),
  });
  const voice = async (webhook_url: string | null): Promise<Target> => {
    const { head, tail } = voiceForm(await addAssistant({ type: 'voice', webhook_url }), 'call.mp3');
    return {
      url: `${apiUrl}/api/v1/requests/voice`,
      headers: { Authorization, 'Content-Type': FORM_TYPE },
      body: Buffer.concat([head, readFileSync(SPOKEN), tail]),
    };
  };
  return [
    { name: 'text session', shape: TEXT, target: await text(null) },
    { name: 'text session, webhook', shape: TEXT_AND_WEBHOOK, target: await text(webhookUrl) },
    { name: 'voice session of 95 kB', shape: VOICE, target: await voice(null) },
    { name: 'voice session of 95 kB, webhook', shape: VOICE_AND_WEBHOOK, target: await voice(webhookUrl) },
  ];
}

function print(bare: readonly Row[], rows: readonly Row[]): void {
  console.log('\n| | activities | p50 ms | p90 ms | per second | p50 ratio | throughput ratio |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { name, shape, p50Ms, p90Ms, perSecond } of [...bare, ...rows]) {
    const like = bare.find((row) => row.shape === shape);
    const ratios = like ? [p50Ms / like.p50Ms, perSecond / like.perSecond].map((ratio) => ratio.toFixed(2)) : [];
    const measured = [p50Ms, p90Ms, perSecond].map((value) => value.toFixed(1));
    console.log(`| ${[name, shape.activities, ...measured, ...ratios].join(' | ')} |`);
  }
}
