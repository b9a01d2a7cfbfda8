/** A time-skipping Temporal server per test process: it skips time for all its clients, so processes can't share one. */
import { execFileSync } from 'node:child_process';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { installTemporalRuntime } from '../../runtime/temporal/runtime.ts';
import { silentLog } from './log.ts';
import { endWithRun } from './run.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';

/** The SDK waits 5 s for the server, which is too short for a JVM on a busy machine. */
const MAX_STARTS = 12;

let starting: Promise<TestWorkflowEnvironment> | undefined;

/** Returns the server of this process. Call it in a `before` without a timeout: it may have to fetch the program. */
export function timeSkipping(): Promise<TestWorkflowEnvironment> {
  return (starting ??= start());
}

async function start(): Promise<TestWorkflowEnvironment> {
  const path = await findTimeSkippingServer(process.env, console.log);
  installTemporalRuntime(silentLog);
  const environment = await createEnvironment(path, MAX_STARTS);
  findChildren(/test-?server/i).forEach(endWithRun);
  return environment;
}

async function createEnvironment(path: string, starts: number): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
  } catch (error) {
    if (starts === 1) throw error;
    return createEnvironment(path, starts - 1);
  }
}

/** Returns the ids of this process's children whose command line matches. The SDK does not expose the server's id. */
function findChildren(command: RegExp): number[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  const children = lines.map((line) => line.trim().split(/\s+/)).filter(([parent]) => Number(parent) === process.pid);
  return children.filter((words) => command.test(words.slice(2).join(' '))).map(([, pid]) => Number(pid));
}
