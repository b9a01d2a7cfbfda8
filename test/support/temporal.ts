/**
 * A Temporal dev server for this process, started on first use. Processes can't share one server: canceled calls under load can
 * permanently break its single SQLite connection.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { findTemporalCli } from '../../local/temporal-cli.ts';
import { startTemporalServer } from '../../local/temporal-server.ts';
import { connectTemporal, ensureSearchAttributes, type Temporal } from '../../runtime/temporal/connect.ts';
import { ensureSchedules, SCHEDULE_IDS } from '../../worker/schedules.ts';
import { eventually } from './eventually.ts';
import { silentLog } from './log.ts';
import { runDirectory, runnerName } from './run.ts';

interface TestTemporal {
  temporal: Temporal;
  /** Address for additional connections. */
  address: string;
}

let starting: Promise<TestTemporal> | undefined;

/** Call this in a `before` without a timeout, because the server's program may have to be downloaded or built. */
export async function testTemporal(): Promise<TestTemporal> {
  return (starting ??= start());
}

async function start(): Promise<TestTemporal> {
  const cli = await findTemporalCli(process.env, console.log);
  const directory = join(runDirectory(), `temporal_${runnerName()}`);
  mkdirSync(join(directory, 'run'), { recursive: true });
  const { address } = await startTemporalServer({ cli, directory, log: silentLog, prefersUsualPort: false });
  const namespace = runnerName();
  const config = { address, namespace, tls: false, apiKey: undefined };
  const temporal = await connectTemporal(config, silentLog, { startsEagerly: true });
  await createNamespace(temporal, namespace);
  await ensureSearchAttributes(temporal, silentLog);
  await pauseSchedules(temporal);
  return { temporal, address };
}

/** Resolves when the namespace can be used. */
export async function createNamespace({ connection }: Temporal, namespace: string): Promise<void> {
  const { workflowService } = connection;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const describe = () =>
    workflowService.describeNamespace({ namespace }).then(
      () => true,
      () => false,
    );
  await eventually(describe, (isThere) => isThere);
}

/** Pauses the schedules, because sweeps would continue sessions of other tests in the shared database. */
async function pauseSchedules({ client }: Temporal): Promise<void> {
  await ensureSchedules(client);
  await Promise.all(SCHEDULE_IDS.map((id) => client.schedule.getHandle(id).pause()));
}

/** Returns the handle of a workflow. Its ID is that of its session, delivery or batch. */
export async function workflowOf(id: string): Promise<WorkflowHandle> {
  return (await testTemporal()).temporal.client.workflow.getHandle(id);
}

/** Returns how the workflow ended: COMPLETED, CANCELLED, … */
export async function untilWorkflowEnds(id: string): Promise<string> {
  const workflow = await workflowOf(id);
  return eventually(
    async () => (await workflow.describe()).status.name,
    (status) => status !== 'RUNNING',
  );
}

/** Terminates all workflows, because the next worker would continue them. */
export async function terminateWorkflows(): Promise<void> {
  const { client } = (await testTemporal()).temporal;
  for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    try {
      await client.workflow.getHandle(workflowId).terminate();
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
