/** Runs a server as a child process and restarts it if it exits. */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../runtime/telemetry/log.ts';
import { StartError } from '../runtime/process/process.ts';
import { identifyProcess, readLivePid } from './process-identity.ts';

export interface ServerProcess {
  name: string;
  command: string;
  args: string[];
  /** User to run as. Default: this user. */
  user?: { uid: number; gid: number } | undefined;
  /** Path of the pid file, which exists while the process runs. */
  pidFile: string;
  logFile: string;
  stopSignal: NodeJS.Signals;
  isReady: () => Promise<boolean>;
  /** Whether to restart the server when it exits. Default: true. */
  isKeptUp?: boolean;
}

export interface Supervised {
  /** Returns the ID of the running process, or undefined. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 50;
const STOP_TIMEOUT_MS = 15_000;
const RESTART_DELAY_MS = 500;

/**
 * Resolves when the server is ready. If the server does not become ready, stops it and throws `StartError` with the end of its log. If
 * `signal` aborts, stops the server and throws the reason. The server never outlives this process.
 */
export async function supervise(server: ServerProcess, log: Log, signal?: AbortSignal): Promise<Supervised> {
  let isStopping = false;
  let child = launch(server, onExit);
  try {
    await waitUntilReady(server, () => child, signal);
  } catch (error) {
    await stop();
    throw error;
  }

  function onExit(code: number | null, signal: NodeJS.Signals | null): void {
    rmSync(server.pidFile, { force: true });
    if (isStopping || server.isKeptUp === false) return;
    log.warn({ server: server.name, code, signal }, 'a server ended; restarting it');
    setTimeout(() => {
      if (!isStopping) child = launch(server, onExit);
    }, RESTART_DELAY_MS);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    if (child.pid !== undefined && !hasEnded(child)) await endProcess(child.pid, server.stopSignal);
    // Here, because this process may end before it receives the exit event.
    rmSync(server.pidFile, { force: true });
  }

  return { pid: () => (hasEnded(child) ? undefined : child.pid), stop };
}

function launch(
  server: ServerProcess,
  onExit: (code: number | null, signal: NodeJS.Signals | null) => void,
): ChildProcess {
  // Only this user may read the log, because it can contain data of failed statements.
  rotateLog(server.logFile);
  const rotation = setInterval(() => rotateLog(server.logFile), LOG_CHECK_MS).unref();
  const output = openSync(server.logFile, 'a', 0o600);
  // Detached, so Ctrl-C reaches only this process, which stops the servers in order.
  const child = spawn(server.command, server.args, {
    detached: true,
    stdio: ['ignore', output, output],
    ...server.user,
  });
  closeSync(output);
  child.once('error', () => onExit(null, null));
  child.once('close', () => clearInterval(rotation));
  child.once('exit', onExit);
  if (child.pid !== undefined) {
    writeFileSync(server.pidFile, identifyProcess(child.pid) ?? '');
    guard(child, server.stopSignal);
  }
  return child;
}

export const MAX_LOG_BYTES = 10 * 1_024 * 1_024;
const LOG_CHECK_MS = 60_000;

/** Copies a large log to `….1` and empties the log. The server appends, so it continues at the beginning. */
export function rotateLog(logFile: string): void {
  const { size } = statSync(logFile, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size <= MAX_LOG_BYTES) return;
  copyFileSync(logFile, `${logFile}.1`);
  truncateSync(logFile);
}

/**
 * A shell script that kills the process in its argument when standard input closes, which happens however this process ends. A line on
 * standard input cancels the script.
 */
const GUARD = `read -r line && exit
kill -s "$2" "$1" 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 1; kill -s 0 "$1" 2>/dev/null || exit 0; done
kill -s KILL "$1"`;

/** Starts the shell script above, in its own session, so that the server never outlives this process. */
function guard(child: ChildProcess, stopSignal: NodeJS.Signals): void {
  const args = ['-c', GUARD, 'guard', String(child.pid), stopSignal.replace('SIG', '')];
  const shell = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  shell.once('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  (shell.stdin as { unref?: () => void }).unref?.();
  child.once('exit', () => shell.stdin.end('ended\n'));
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function waitUntilReady(
  server: ServerProcess,
  current: () => ChildProcess,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(READY_POLL_MS)) {
    signal?.throwIfAborted();
    if (await server.isReady()) return;
    if (current().pid === undefined || hasEnded(current())) break;
  }
  const tail = readFileSync(server.logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  throw new StartError(`${server.name} did not start. The end of ${server.logFile}:\n${tail}`);
}

/** Stops a server that a killed start left running. */
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
