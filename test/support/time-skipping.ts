/** Runs a time-skipping Temporal server per test process. It skips time for all clients, so processes can't share a server. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { freePort } from './free-port.ts';
import { supervise } from '../../local/supervise.ts';
import { answers } from '../../local/temporal-server.ts';
import { installTemporalRuntime } from '../../runtime/temporal/runtime.ts';
import { silentLog } from './log.ts';
import { runDirectory, runnerName } from './run.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';

let starting: Promise<TestWorkflowEnvironment> | undefined;

/** Returns the server of this process. Call this in a `before` without a timeout, because it may have to download the program. */
export function timeSkipping(): Promise<TestWorkflowEnvironment> {
  return (starting ??= start());
}

/** Private functions of the SDK that connect to a running server. The SDK's own start waits 5 s, too short for a JVM on a busy machine. */
const environments = TestWorkflowEnvironment as unknown as {
  create(options: object): Promise<TestWorkflowEnvironment>;
};

async function start(): Promise<TestWorkflowEnvironment> {
  const command = await findTimeSkippingServer(process.env, console.log);
  installTemporalRuntime(silentLog);
  const run = join(runDirectory(), `time_skipping_${runnerName()}`, 'run');
  mkdirSync(run, { recursive: true });
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const files = { pidFile: join(run, 'server.pid'), logFile: join(run, 'server.log') };
  const server = { name: 'The time-skipping server', command, args: [String(port)], ...files };
  await supervise({ ...server, stopSignal: 'SIGTERM', isKeptUp: false, isReady: () => answers(address) }, silentLog);
  return environments.create({
    server: { type: 'existing' },
    address,
    namespace: 'default',
    supportsTimeSkipping: true,
    connectionOptions: {},
  });
}
