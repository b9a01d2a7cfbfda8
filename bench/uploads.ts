/** The API's memory while recordings arrive: many at once, and a large one. API and worker are processes of their own. */
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Session } from '../contract/sessions.ts';
import { migrate } from '../db/migrate.ts';
import { openAccount } from './account.ts';
import type { BenchAccount } from './account.ts';
import { chunksOf, FORM_TYPE, voiceForm } from './form.ts';
import type { LargeForm } from './form.ts';
import { script, startProcess, watchPeaks } from './processes.ts';
import type { MeasuredProcess } from './processes.ts';
import type { BenchServers } from './servers.ts';

const MB = 1_000_000;
const AT_REST_MS = 5_000;
const END_TIMEOUT_MS = 10 * 60_000;

const LOADS = [
  { name: '50 of 20 MB at once', count: 50, bytes: 20 * MB },
  { name: '1 of 500 MB', count: 1, bytes: 500 * MB },
];

export async function benchUploads({ env: shared, servers, directory }: BenchServers): Promise<void> {
  const env = {
    ...shared,
    AUDIO_STORE: join(directory, 'audio'),
    JWT_SECRET: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  await migrate(servers.DATABASE_URL);
  const worker = await startProcess(script('../worker/main.ts'), env, /the worker runs/);
  const api = await startProcess(script('../api/main.ts'), env);
  try {
    const account = await openAccount(api.url);
    const assistantId = await account.addAssistant({ type: 'voice', stt_provider: 'elevenlabs' });
    const rows: string[] = [];
    for (const load of LOADS) {
      console.log(`Uploading ${load.name} …`);
      rows.push(await measureLoad(load, { api, worker, account, assistantId }));
    }
    console.log(
      '\n| recordings | API before MB | peak | after | worker peak | upload s | all ended s | completed | lost |',
    );
    console.log(`|---|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`);
  } finally {
    await api.stop();
    await worker.stop();
  }
}

interface Parts {
  api: MeasuredProcess;
  worker: MeasuredProcess;
  account: BenchAccount;
  assistantId: string;
}

async function measureLoad({ name, count, bytes }: (typeof LOADS)[number], parts: Parts): Promise<string> {
  const { api, worker, account, assistantId } = parts;
  await sleep(AT_REST_MS);
  const before = api.residentMb();
  const peaks = watchPeaks([api, worker]);
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1_000).toFixed(1);
  const agent = new Agent({ connections: count, headersTimeout: END_TIMEOUT_MS });
  const form = { ...voiceForm(assistantId, 'call.wav'), bytes };
  const ids = await Promise.all(
    Array.from({ length: count }, () => upload(`${api.url}/api`, account.authorization, form, agent)),
  );
  const uploadS = seconds();
  const statuses = await Promise.all(ids.map((id) => awaitEnd(account, id)));
  const endS = seconds();
  const [apiPeak = 0, workerPeak = 0] = peaks.stop();
  await agent.close();
  await sleep(AT_REST_MS);
  const memory = [before, apiPeak, api.residentMb(), workerPeak].map((mb) => mb.toFixed(0));
  const completed = statuses.filter((status) => status === 'completed').length;
  return `| ${[name, ...memory, uploadS, endS, completed, count - completed].join(' | ')} |`;
}

/** Uploads a recording. Returns the id of the session. */
async function upload(
  url: string,
  authorization: string,
  { head, tail, bytes }: LargeForm,
  agent: Agent,
): Promise<string> {
  const { statusCode, body } = await request(`${url}/v1/requests/voice`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      Authorization: authorization,
      'Content-Type': FORM_TYPE,
      'Content-Length': String(head.length + bytes + tail.length),
      Prefer: 'respond-async',
    },
    body: Readable.from(chunksOf({ head, tail, bytes }), { objectMode: false }),
  });
  if (statusCode !== 202) throw new Error(`an upload was answered with ${statusCode}: ${await body.text()}`);
  return ((await body.json()) as Session).session_id;
}

async function awaitEnd({ client }: BenchAccount, id: string): Promise<string> {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline;) {
    const session = await client.call<Session>('read a session', 'GET', `/v1/sessions/${id}?wait=30`);
    if (session.completed_at !== null) return session.status;
  }
  return 'not ended';
}
