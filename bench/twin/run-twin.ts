/**
 * The lean twin of the service: the same commits, files, provider calls and Temporal options in one process, without any
 * feature. What the service costs more is the price of its features and libraries. See docs/performance.md.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import pg from 'pg';
import { createLog } from '../../runtime/telemetry/log.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { createTwinActivities } from './activities.ts';
import { FINISHED_CHANNEL, openStore } from './store.ts';

const TASK_QUEUE = 'twin';
const TOKEN = 'twin';
const { DATABASE_URL = '', TEMPORAL_ADDRESS: address = '', LLM_URL = '', STT_URL = '', FOLDER = '' } = process.env;

const store = await openStore(DATABASE_URL);
const hashOf = (value: string) => createHash('sha256').update(value).digest();
await store.pool.query('insert into twin_tokens values ($1, $2)', [hashOf(TOKEN), 'twin']);
mkdirSync(FOLDER);
const config = { address, namespace: 'default', tls: false, apiKey: undefined };
const temporal = await connectTemporal(config, createLog('warn'), { startsEagerly: true });
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
const worker = await Worker.create({
  connection: temporal.connection,
  taskQueue: TASK_QUEUE,
  workflowBundle: { code },
  activities: createTwinActivities(store, { llmUrl: LLM_URL, sttUrl: STT_URL }),
  maxConcurrentActivityTaskExecutions: 500,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxCachedWorkflows: 500,
});

const waiting = new Map<string, () => void>();
const listener = new pg.Client({ connectionString: DATABASE_URL });
await listener.connect();
listener.on('notification', ({ payload = '' }) => waiting.get(payload)?.());
await listener.query(`listen ${FINISHED_CHANNEL}`);

/** Stores a recording so that it survives a power failure. */
async function keep(id: string, request: IncomingMessage) {
  const incoming = join(FOLDER, `${id}.part`);
  const path = join(FOLDER, id);
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(incoming, 'wx', 0o600);
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    await file.writeFile(chunk);
  }
  await file.sync();
  await file.close();
  await rename(incoming, path);
  const folder = await open(FOLDER, 'r');
  await folder.sync();
  await folder.close();
  return { path, bytes, sha256: hash.digest('hex'), name: request.headers['x-file-name'] };
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { workspace } = await store.run('authenticate', hashOf(String(request.headers['authorization'])));
  if (workspace === undefined) throw new Error('no such token');
  const id = `twin_${randomUUID()}`;
  const isVoice = request.url === '/voice';
  const audio = isVoice ? await keep(id, request) : null;
  const conversation = isVoice ? null : JSON.stringify(await json(request));
  const { 'x-prompt': prompt = '', 'x-webhook-url': webhookUrl = null } = request.headers;
  await store.run('insert', id, workspace, prompt, conversation, audio, webhookUrl);
  const finished = new Promise<void>((resolve) => waiting.set(id, resolve));
  await temporal.client.workflow.start('twin', {
    workflowId: id,
    taskQueue: TASK_QUEUE,
    args: [id, isVoice],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowRunTimeout: '3 days',
    priority: { fairnessKey: workspace, priorityKey: 1 },
  });
  await finished;
  waiting.delete(id);
  response.end(JSON.stringify(await store.run('read', id)));
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
await worker.run();
