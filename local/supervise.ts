/** Runs a server as a child process, and starts it again if it dies. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../runtime/telemetry/log.ts';
import { StartError } from '../runtime/process.ts';
import { identifyProcess, readLivePid } from './process-identity.ts';

export interface ServerProcess {
  name: string;
  command: string;
  args: string[];
  /** User to run as; undefined: this one. */
  user?: { uid: number; gid: number } | undefined;
  /** Where the process is named while it runs. */
  pidFile: string;
  logFile: string;
  stopSignal: NodeJS.Signals;
  isReady: () => Promise<boolean>;
}

export interface Supervised {
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 50;
const STOP_TIMEOUT_MS = 15_000;
const RESTART_DELAY_MS = 500;

/** Resolves when the server is ready; throws `StartError` with the end of its log if it does not get there. */
export async function supervise(server: ServerProcess, log: Log): Promise<Supervised> {
  let isStopping = false;
  let child = launch(server, onExit);
  try {
    await waitUntilReady(server, () => child);
  } catch (error) {
    await stop();
    throw error;
  }

  function onExit(code: number | null, signal: NodeJS.Signals | null): void {
    rmSync(server.pidFile, { force: true });
    if (isStopping) return;
    log.warn({ server: server.name, code, signal }, 'a server ended; starting it again');
    setTimeout(() => {
      if (!isStopping) child = launch(server, onExit);
    }, RESTART_DELAY_MS);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    if (child.pid !== undefined && !hasEnded(child)) await endProcess(child.pid, server.stopSignal);
  }

  return { stop };
}

function launch(
  server: ServerProcess,
  onExit: (code: number | null, signal: NodeJS.Signals | null) => void,
): ChildProcess {
  const output = openSync(server.logFile, 'a');
  // Detached: Ctrl-C reaches this process alone, which stops the others in order.
  const child = spawn(server.command, server.args, {
    detached: true,
    stdio: ['ignore', output, output],
    ...server.user,
  });
  closeSync(output);
  child.once('error', () => onExit(null, null));
  child.once('exit', onExit);
  if (child.pid !== undefined) writeFileSync(server.pidFile, identifyProcess(child.pid) ?? '');
  return child;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function waitUntilReady(server: ServerProcess, current: () => ChildProcess): Promise<void> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(READY_POLL_MS)) {
    if (await server.isReady()) return;
    if (current().pid === undefined || hasEnded(current())) break;
  }
  const tail = readFileSync(server.logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  throw new StartError(`${server.name} did not start. The end of ${server.logFile}:\n${tail}`);
}

/** Ends the server of an earlier start that was killed. */
export async function endOrphan({ pidFile, stopSignal }: Pick<ServerProcess, 'pidFile' | 'stopSignal'>): Promise<void> {
  const pid = readLivePid(pidFile);
  if (pid !== undefined) await endProcess(pid, stopSignal);
}

async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  const identity = identifyProcess(pid);
  const isAlive = () => identity !== undefined && identifyProcess(pid) === identity;
  if (isAlive()) process.kill(pid, signal);
  for (const deadline = Date.now() + STOP_TIMEOUT_MS; isAlive() && Date.now() < deadline;) await sleep(READY_POLL_MS);
  if (isAlive()) process.kill(pid, 'SIGKILL');
}
