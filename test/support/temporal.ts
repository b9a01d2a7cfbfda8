/** One real Temporal dev server for the run, started by the first test that asks for it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/client';
import { findTemporalCli } from '../../local/temporal-cli.ts';
import { startTemporalServer } from '../../local/temporal-server.ts';
import type { RunningTemporal } from '../../local/temporal-server.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import type { Temporal } from '../../runtime/temporal/connect.ts';
import { ensureSchedules, SCHEDULE_IDS } from '../../worker/schedules.ts';
import { silentLog } from './log.ts';

interface TestTemporal {
  server: RunningTemporal;
  temporal: Temporal;
  directory: string;
}

let starting: Promise<TestTemporal> | undefined;

async function start(): Promise<TestTemporal> {
  const cli = await findTemporalCli(process.env, console.log);
  const directory = mkdtempSync(join(tmpdir(), 'cas-temporal-'));
  mkdirSync(join(directory, 'run'));
  const server = await startTemporalServer({ cli, directory, log: silentLog });
  const temporal = await connectTemporal(
    { address: server.address, namespace: 'default', tls: false, apiKey: undefined },
    silentLog,
  );
  await pauseSchedules(temporal);
  return { server, temporal, directory };
}

/** On the minute they would take up what other tests have left in the database they share. */
async function pauseSchedules({ client }: Temporal): Promise<void> {
  await ensureSchedules(client);
  await Promise.all(SCHEDULE_IDS.map((id) => client.schedule.getHandle(id).pause()));
}

/** Getting the program may take minutes on a machine that never had it: call it in a `before` without a time-out. */
export async function testTemporal(): Promise<TestTemporal> {
  return (starting ??= start());
}

/** Ends what still runs: the next worker would go on with it. */
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

export async function stopTemporal(): Promise<void> {
  if (!starting) return;
  const { server, temporal, directory } = await starting;
  await temporal.connection.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
