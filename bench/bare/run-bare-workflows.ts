/** The smallest durable service on Temporal: starts a workflow, waits for one of its activities, responds. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import pg from 'pg';
import { connectDatabase } from '../../db/connect.ts';
import { createLog } from '../../runtime/telemetry/log.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { BARE_CHANNEL, createBareActivities } from './activities.ts';

const TASK_QUEUE = 'bare';
const {
  DATABASE_URL: databaseUrl = '',
  TEMPORAL_ADDRESS: address = '',
  ACTIVITIES = '1',
  WAKES_CALLER = '1',
} = process.env;

const db = connectDatabase({ url: databaseUrl, poolMax: 20 });
const temporal = await connectTemporal(
  { address, namespace: 'default', tls: false, apiKey: undefined },
  createLog('warn'),
);
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
const worker = await Worker.create({
  connection: temporal.connection,
  taskQueue: TASK_QUEUE,
  workflowBundle: { code },
  activities: createBareActivities(db),
});

const waiting = new Map<string, () => void>();
const listener = new pg.Client({ connectionString: databaseUrl });
await listener.connect();
listener.on('notification', ({ payload = '' }) => waiting.get(payload)?.());
await listener.query(`listen ${BARE_CHANNEL}`);

const server = createServer((_request, response) => {
  const id = randomUUID();
  waiting.set(id, () => {
    waiting.delete(id);
    response.end('{}');
  });
  void temporal.client.workflow.start('bare', {
    workflowId: id,
    taskQueue: TASK_QUEUE,
    args: [id, Number(ACTIVITIES), Number(WAKES_CALLER)],
    requestEagerStart: true,
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
await worker.run();
