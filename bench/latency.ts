/** What the service adds to a call, beside the least that a durable one could. docs/performance.md */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONVERSATION, openAccount } from './account.ts';
import { FORM_TYPE, voiceForm } from './form.ts';
import { measureByTurns } from './load.ts';
import type { Measured, Target } from './load.ts';
import { script, startProcess } from './processes.ts';
import type { BenchServers } from './servers.ts';

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

export interface Case {
  name: string;
  /** A session is compared with the bare workflow of the same shape. */
  shape: Shape;
  target: Target;
}

type Row = Case & Measured;

/**
 * Measures every kind of session, by turns with the bare workflow that has as many activities, and prints the table.
 * @param scale part of the usual number of calls.
 */
export async function benchLatency(servers: BenchServers, scale: number): Promise<void> {
  const env = { ...servers.env, DATA_DIR: join(servers.directory, 'service'), LOG_LEVEL: 'warn' };
  const service = await startProcess(script('../local/main.ts'), env);
  try {
    const rows: Row[][] = [];
    for (const session of await prepareCases(service.url.replace(/\/api$/, ''), servers)) {
      rows.push(await measureBesideBare(servers, session, scale));
    }
    print(rows);
  } finally {
    await service.stop();
  }
}

/** Returns the row of the bare workflow and that of the session. */
async function measureBesideBare({ servers }: BenchServers, session: Case, scale: number): Promise<Row[]> {
  const { activities, wakesCaller } = session.shape;
  console.log(`Measuring: ${session.name} …`);
  const env = { ...servers, ACTIVITIES: String(activities), WAKES_CALLER: String(wakesCaller) };
  const bare = await startProcess(script('bare/run-bare-workflows.ts'), env);
  try {
    const name = `bare workflow, activity ${wakesCaller} of ${activities} answers`;
    return await measureByTurns(
      [{ name, shape: session.shape, target: { url: bare.url, headers: {}, body: '' } }, session],
      scale,
    );
  } finally {
    await bare.stop();
  }
}

/** Returns the calls to measure: written and spoken conversations, without and with a webhook. */
export async function prepareCases(apiUrl: string, { webhookUrl }: BenchServers): Promise<Case[]> {
  const { addAssistant, authorization: Authorization } = await openAccount(apiUrl);
  const text = async (webhook_url: string | null): Promise<Target> => ({
    url: `${apiUrl}/api/v1/requests/text`,
    headers: { Authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      assistant_id: await addAssistant({ type: 'text', webhook_url }),
      conversation: CONVERSATION,
    }),
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

function print(rows: readonly Row[][]): void {
  console.log('\n| | activities | p50 ms | p90 ms | per second | p50 ratio | throughput ratio |');
  console.log('|---|---|---|---|---|---|---|');
  for (const pair of rows) {
    for (const row of pair) {
      const { name, shape, p50Ms, p90Ms, perSecond } = row;
      const [bare = row] = pair;
      const ratios =
        row === bare ? ['', ''] : [p50Ms / bare.p50Ms, perSecond / bare.perSecond].map((ratio) => ratio.toFixed(2));
      const measured = [p50Ms, p90Ms, perSecond].map((value) => value.toFixed(1));
      console.log(`| ${[name, shape.activities, ...measured, ...ratios].join(' | ')} |`);
    }
  }
}
