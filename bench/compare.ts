/** Compares the cost of a session with that of a lean twin. See docs/performance.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepProvider } from '../contract/values/providers.ts';
import { CONVERSATION, openAccount, SLOW } from './account.ts';
import { familyMs } from './family-ms.ts';
import { measureByTurns, quantile, type Load, type Measured, type Party, type Target } from './load.ts';
import { startProcess } from './start-process.ts';
import type { BenchServers } from './servers.ts';

const RECORDING = readFileSync(new URL('../examples/samples/support-call.mp3', import.meta.url));

interface Case {
  name: string;
  type: 'text' | 'voice';
  hasWebhook?: boolean;
  isSlow?: boolean;
  load: Load;
}

const USUAL = { serial: 20, concurrent: 100, atOnce: 50 };
const KINDS = [
  { name: 'text', type: 'text' },
  { name: 'text, webhook', type: 'text', hasWebhook: true },
  { name: 'voice of 95 kB', type: 'voice' },
  { name: 'voice of 95 kB, webhook', type: 'voice', hasWebhook: true },
] as const;
const CASES: readonly Case[] = [
  ...KINDS.map((kind) => ({ ...kind, load: USUAL })),
  { name: 'text, model takes 1 s', type: 'text', isSlow: true, load: { ...USUAL, serial: 0 } },
  {
    name: '60 recordings at once, each call takes 1 s',
    type: 'voice',
    isSlow: true,
    load: { serial: 0, concurrent: 60, atOnce: 60 },
  },
];

/** Measures each case in turns with the twin, and prints the table. @param isQuick with one round of fewer calls. */
export async function benchWithTwin(servers: BenchServers, isQuick: boolean): Promise<void> {
  const env = { ...servers.env, DATA_DIR: join(servers.directory, 'service'), LOG_LEVEL: 'warn' };
  const service = await startProcess('../local/main.ts', env);
  const twin = await startProcess('twin/run-twin.ts', twinEnvironment(servers));
  try {
    const makeTarget = await prepareService(service.url.replace(/\/api$/, ''), servers.webhookUrl);
    const cpuOf = (pid: number) => () => [...servers.cpuMs(), familyMs(pid)];
    console.log('Medians, with the twin in brackets; ratios are medians of the ratios of the rounds.\n');
    console.log(
      '| | p50 ms | per second | CPU ms: PostgreSQL + Temporal + service | p50 ratio | rate ratio | CPU ratio |',
    );
    console.log('|---|---|---|---|---|---|---|');
    for (const each of CASES) {
      const parties: Party[] = [
        { target: await makeTarget(each), cpuMs: cpuOf(service.pid) },
        { target: twinTarget(twin.url, servers.webhookUrl, each), cpuMs: cpuOf(twin.pid) },
      ];
      const { serial, concurrent, atOnce } = each.load;
      const load = isQuick ? { serial: serial / 2, concurrent: Math.max(concurrent / 2, atOnce), atOnce } : each.load;
      const [ours, least] = await measureByTurns(parties, { load, rounds: isQuick ? 1 : 3, warmUp: isQuick ? 20 : 60 });
      console.log(formatRow(each.name, ours ?? [], least ?? []));
    }
  } finally {
    await twin.stop('SIGKILL');
    await service.stop();
  }
}

function twinEnvironment({ servers, standInsUrl, directory }: BenchServers): Record<string, string> {
  return {
    ...servers,
    LLM_URL: `${standInsUrl}${stepProvider('analysis', 'openai').stand_in_path}`,
    STT_URL: `${standInsUrl}${stepProvider('transcription', 'whisper').stand_in_path}`,
    FOLDER: join(directory, 'twin'),
  };
}

function formatRow(name: string, ours: Measured[], twin: Measured[]): string {
  const both = (value: (round: Measured) => number) => [ours, twin].map((rounds) => median(rounds.map(value)));
  const show = ([own = NaN, least = NaN]: number[]) =>
    Number.isNaN(own) ? '–' : `${own.toFixed(1)} (${least.toFixed(1)})`;
  const parts = ours[0]?.cpuMs.map((_, part) => show(both(({ cpuMs }) => cpuMs[part] ?? NaN))) ?? [];
  const ratio = (value: (round: Measured) => number) => {
    const ratios = ours.map((round, index) => value(round) / value(twin[index] ?? round));
    return ratios.some(Number.isNaN) ? '–' : median(ratios).toFixed(2);
  };
  const p50 = ({ p50Ms }: Measured) => p50Ms;
  const rate = ({ perSecond }: Measured) => perSecond;
  const cpu = `${parts.join(' + ')} = ${show(both(sumOfCpu))}`;
  return `| ${[name, show(both(p50)), show(both(rate)), cpu, ratio(p50), ratio(rate), ratio(sumOfCpu)].join(' | ')} |`;
}

const sumOfCpu = ({ cpuMs }: Measured) => cpuMs.reduce((sum, ms) => sum + ms, 0);

const median = (values: number[]) =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** Returns a function that prepares the calls of a case to the service. */
async function prepareService(apiUrl: string, webhookUrl: string) {
  const { addAssistant, authorization: Authorization } = await openAccount(apiUrl);
  return async ({ type, hasWebhook = false, isSlow = false }: Case): Promise<Target> => {
    const assistant_id = await addAssistant({
      type,
      webhook_url: hasWebhook ? webhookUrl : null,
      system_prompt: `Summarize. ${isSlow ? SLOW : ''}`,
    });
    const url = `${apiUrl}/api/v1/requests/${type}`;
    if (type === 'text') {
      const headers = { Authorization, 'Content-Type': 'application/json' };
      return { url, headers, body: JSON.stringify({ assistant_id, conversation: CONVERSATION }) };
    }
    const form = new FormData();
    form.set('assistant_id', assistant_id);
    form.set('audio_file', new Blob([RECORDING]), fileNameOf(isSlow));
    const encoded = new Response(form);
    const headers = { Authorization, 'Content-Type': encoded.headers.get('content-type') ?? '' };
    return { url, headers, body: Buffer.from(await encoded.arrayBuffer()) };
  };
}

function twinTarget(url: string, webhookUrl: string, { type, hasWebhook = false, isSlow = false }: Case): Target {
  const headers = {
    Authorization: 'twin',
    'X-File-Name': fileNameOf(isSlow),
    'X-Prompt': isSlow ? SLOW : '',
    ...(hasWebhook && { 'X-Webhook-Url': webhookUrl }),
  };
  return { url: `${url}/${type}`, headers, body: type === 'text' ? JSON.stringify(CONVERSATION) : RECORDING };
}

const fileNameOf = (isSlow: boolean) => `call${isSlow ? ` ${SLOW}` : ''}.mp3`;
