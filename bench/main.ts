/** `npm run bench`: what the service adds to a call, beside the least that a durable one could. docs/performance.md */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Assistant } from '../contract/assistants.ts';
import type { Login } from '../contract/account.ts';
import { createDemoClient } from '../local/demo-client.ts';
import { startDemoReceiver } from '../local/demo-receiver.ts';
import { startPostgres } from '../local/postgres.ts';
import { findTemporalCli } from '../local/temporal-cli.ts';
import { startTemporalServer } from '../local/temporal-server.ts';
import { startVendors } from '../local/vendors/server.ts';
import { standInEnvironment } from '../local/vendors/environment.ts';
import { createLog } from '../runtime/log.ts';
import { measure } from './load.ts';
import type { Measured, Target } from './load.ts';
import { startProcess } from './processes.ts';

const AT_REST_MS = 5_000;
const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const directory = mkdtempSync(join(tmpdir(), 'cas-bench-'));
mkdirSync(join(directory, 'run'));
const log = createLog('warn');
const postgres = await startPostgres({ directory, password: 'bench', log });
const temporal = await startTemporalServer({ cli: await findTemporalCli(process.env, console.log), directory, log });
const vendors = await startVendors();
const receiver = await startDemoReceiver({ quiet: true });
const servers = { DATABASE_URL: postgres.databaseUrl, TEMPORAL_ADDRESS: temporal.address };

try {
  const rows: [string, Measured][] = [];
  for (const activities of [1, 2])
    rows.push([`bare workflow, ${activities} activities`, await measureBare(activities)]);
  rows.push(...(await measureService()));
  print(rows);
} finally {
  await receiver.stop();
  await vendors.stop();
  await temporal.stop();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

async function measureBare(activities: number): Promise<Measured> {
  console.log(`Measuring a bare workflow with ${activities} activities …`);
  const service = await startProcess(script('bare/main.ts'), { ...servers, ACTIVITIES: String(activities) });
  try {
    return await measure({ url: service.url, headers: {}, body: '' });
  } finally {
    await service.stop();
  }
}

async function measureService(): Promise<[string, Measured][]> {
  const service = await startProcess(script('../local/main.ts'), {
    ...servers,
    ...(standInEnvironment(['openai'], vendors.url) as Record<string, string>),
    DATA_DIR: join(directory, 'service'),
    RATE_LIMIT_PER_MINUTE: '0',
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  try {
    await sleep(AT_REST_MS);
    console.log(`API and worker at rest: ${service.residentMb().toFixed(0)} MB resident`);
    const targets = await prepare(service.url.replace(/\/api$/, ''));
    const rows: [string, Measured][] = [];
    for (const [name, target] of targets) {
      console.log(`Measuring ${name} …`);
      rows.push([name, await measure(target)]);
    }
    await sleep(AT_REST_MS);
    console.log(`API and worker after the load: ${service.residentMb().toFixed(0)} MB resident`);
    return rows;
  } finally {
    await service.stop();
  }
}

/** A user with two text assistants, one without and one with a webhook. */
async function prepare(apiUrl: string): Promise<[string, Target][]> {
  const client = createDemoClient(apiUrl);
  const credentials = { email: 'bench@example.com', password: 'a password for the bench' };
  const { token } = await client.call<Login>('register', 'POST', '/v1/auth/register', {
    ...credentials,
    name: 'Bench',
  });
  client.useToken(token);
  const key = await client.call<{ token: string }>('make a key', 'POST', '/v1/keys', { name: 'bench' });
  const conversation = [
    { role: 'operator', text: 'Good morning, how can I help?' },
    { role: 'client', text: 'My parcel has not arrived.' },
  ];
  const target = async (webhook_url: string | null): Promise<Target> => {
    const settings = { name: 'Bench', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.', webhook_url };
    const { id } = await client.call<Assistant>('create an assistant', 'POST', '/v1/assistants', settings);
    return {
      url: `${apiUrl}/api/v1/requests/text`,
      headers: { Authorization: `Bearer ${key.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ assistant_id: id, conversation }),
    };
  };
  return [
    ['text session, no webhook (1 activity)', await target(null)],
    ['text session, webhook (2 activities)', await target(receiver.url)],
  ];
}

function print(rows: [string, Measured][]): void {
  console.log('\n| | p50 ms | p90 ms | per second | p50 ratio | throughput ratio |\n|---|---|---|---|---|---|');
  const [bare1, bare2] = rows.map(([, measured]) => measured);
  rows.forEach(([name, { p50Ms, p90Ms, perSecond }], index) => {
    const bare = index % 2 === 0 ? bare1 : bare2;
    const ratios =
      bare && [p50Ms / bare.p50Ms, perSecond / bare.perSecond].map((ratio) => ratio.toFixed(2)).join(' | ');
    console.log(`| ${name} | ${p50Ms.toFixed(1)} | ${p90Ms.toFixed(1)} | ${perSecond.toFixed(1)} | ${ratios ?? ''} |`);
  });
}
