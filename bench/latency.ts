/** Compares the cost of a session with that of a bare workflow. See docs/performance.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONVERSATION, openAccount } from './account.ts';
import { familyMs } from './family-ms.ts';
import { measureByTurns, type Measured, type Target } from './load.ts';
import { startProcess } from './service.ts';
import type { BenchServers } from './servers.ts';

const RECORDING = new URL('../examples/samples/support-call.mp3', import.meta.url);

interface Case {
  name: string;
  /** Activities of the workflow. */
  activities: number;
  /** Which activity responds to the caller, from 1. */
  wakesCaller: number;
  target: Target;
}

/**
 * Measures each kind of session, alternating with a bare workflow of as many activities, and prints the table.
 * @param scale fraction of the usual number of calls.
 */
export async function benchLatency(servers: BenchServers, scale: number): Promise<void> {
  const env = { ...servers.env, DATA_DIR: join(servers.directory, 'service'), LOG_LEVEL: 'warn' };
  const service = await startProcess('../local/main.ts', env);
  try {
    const rows: string[] = [];
    for (const each of await prepareCases(service.url.replace(/\/api$/, ''), servers)) {
      rows.push(...(await measureWithBare(servers, { ...each, servicePid: service.pid, scale })));
    }
    console.log('\n| | p50 ms | per second | CPU ms: PostgreSQL + Temporal + service | p50 ratio | throughput ratio |');
    console.log('|---|---|---|---|---|---|');
    for (const row of rows) console.log(row);
  } finally {
    await service.stop();
  }
}

/** Returns the rows of the bare workflow and of the session. */
async function measureWithBare(
  { servers, cpuMs }: BenchServers,
  { name, activities, wakesCaller, target, servicePid, scale }: Case & { servicePid: number; scale: number },
): Promise<string[]> {
  console.log(`Measuring: ${name} …`);
  const env = { ...servers, ACTIVITIES: String(activities), WAKES_CALLER: String(wakesCaller) };
  const bare = await startProcess('bare/run-bare-workflows.ts', env);
  try {
    const cpuWith = (pid: number) => () => [...cpuMs(), familyMs(pid)];
    const cases = [
      { target: { url: bare.url, headers: {}, body: '' }, cpuMs: cpuWith(bare.pid) },
      { target, cpuMs: cpuWith(servicePid) },
    ];
    const [least, session] = (await measureByTurns(cases, scale)) as [Measured, Measured];
    const ratios = [session.p50Ms / least.p50Ms, session.perSecond / least.perSecond];
    return [
      formatRow(`bare workflow, activity ${wakesCaller} of ${activities} responds`, least, []),
      formatRow(name, session, ratios),
    ];
  } finally {
    await bare.stop();
  }
}

function formatRow(name: string, { p50Ms, perSecond, cpuMs }: Measured, ratios: number[]): string {
  const sum = cpuMs.reduce((total, ms) => total + ms, 0);
  const cpu = `${cpuMs.map((ms) => ms.toFixed(1)).join(' + ')} = ${sum.toFixed(1)}`;
  const [p50Ratio = '', throughputRatio = ''] = ratios.map((ratio) => ratio.toFixed(2));
  return `| ${[name, p50Ms.toFixed(1), perSecond.toFixed(1), cpu, p50Ratio, throughputRatio].join(' | ')} |`;
}

/** Returns the calls to measure: text and voice sessions, without and with a webhook. */
async function prepareCases(apiUrl: string, { webhookUrl }: BenchServers): Promise<Case[]> {
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
    const form = new FormData();
    form.set('assistant_id', await addAssistant({ type: 'voice', webhook_url }));
    form.set('audio_file', new Blob([readFileSync(RECORDING)]), 'call.mp3');
    const encoded = new Response(form);
    return {
      url: `${apiUrl}/api/v1/requests/voice`,
      headers: { Authorization, 'Content-Type': encoded.headers.get('content-type') ?? '' },
      body: Buffer.from(await encoded.arrayBuffer()),
    };
  };
  return [
    { name: 'text session', activities: 1, wakesCaller: 1, target: await text(null) },
    { name: 'text session, webhook', activities: 2, wakesCaller: 1, target: await text(webhookUrl) },
    { name: 'voice session of 95 kB', activities: 2, wakesCaller: 2, target: await voice(null) },
    { name: 'voice session of 95 kB, webhook', activities: 3, wakesCaller: 2, target: await voice(webhookUrl) },
  ];
}
