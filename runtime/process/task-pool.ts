/**
 * Runs tasks on hostile data in child processes: a task that takes too much time or memory ends its process, and blocks nothing
 * else. Not in threads, because V8 ends the whole process if the heap of a thread is full.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTally } from '../tally.ts';

export interface PoolLimits {
  processes: number;
  /** Tasks of one owner that run at once. */
  perOwner: number;
  maxHeapMb: number;
  /** How long an owner waits after a task that exceeded its time or memory. */
  pauseMs: number;
}

interface TaskOptions {
  owner: string;
  /** Processor time of the task. */
  cpuMs: number;
  signal?: AbortSignal | undefined;
}

export interface TaskPool {
  /** Returns the result of the task. Throws `TaskError`, or the reason of the signal. Owners are served alternately. */
  run(task: unknown, options: TaskOptions): Promise<unknown>;
  /** Ends the processes after their tasks. */
  stop(): Promise<void>;
}

/** Does a task in the process. `report` keeps what is known so far, for a task that does not end. */
export type RunTask = (task: never, report: (progress: unknown) => void) => unknown;

export type TaskMessage = { kind: 'began' } | { kind: 'progress' | 'result'; value: unknown };

/** The task ended its process or exceeded its time. */
export class TaskError extends Error {
  override name = 'TaskError';
  /** Whether the task began. If not, the task is not the cause. */
  readonly hasBegun: boolean;
  readonly progress: unknown;

  constructor(hasBegun: boolean, progress: unknown) {
    super(hasBegun ? 'a task exceeded its time or memory, or failed' : 'a process for tasks did not start');
    this.hasBegun = hasBegun;
    this.progress = progress;
  }
}

const PROGRAM = fileURLToPath(new URL('task-process.ts', import.meta.url));

/** Loading a program takes seconds on a busy machine. */
const START_MS = 20_000;

/** Processes that have nothing to do for this long are ended. */
const IDLE_MS = 60_000;

/** @param file the module whose function `run` does the tasks. Processes start with the first tasks. */
export function createTaskPool(file: URL, limits: PoolLimits): TaskPool {
  const processes = createProcesses(file, limits);
  /** Tasks that wait, by owner. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const running = createTally();
  const paused = new Set<string>();
  let drained: (() => void) | undefined;

  function startNext(): void {
    if (running.ofAll() === 0 && waiting.size === 0) drained?.();
    if (running.ofAll() === limits.processes) return;
    const [owner, own = []] =
      [...waiting].find(([each]) => running.of(each) < limits.perOwner && !paused.has(each)) ?? [];
    const next = own.shift();
    if (owner === undefined || !next) return;
    // The owner is the last of all.
    waiting.delete(owner);
    if (own.length > 0) waiting.set(owner, own);
    running.add(owner, 1);
    void next().finally(() => {
      running.add(owner, -1);
      startNext();
    });
    startNext();
  }

  function pause(owner: string): void {
    paused.add(owner);
    setTimeout(() => {
      paused.delete(owner);
      startNext();
    }, limits.pauseMs).unref();
  }

  return {
    run(task, { owner, signal, cpuMs }) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const leave = () => reject(signal?.reason as Error);
        signal?.addEventListener('abort', leave, { once: true });
        const own = waiting.get(owner) ?? [];
        own.push(async () => {
          // Its caller has left the queue.
          if (signal?.aborted) return;
          const ended = processes.run(task, cpuMs, signal).finally(() => signal?.removeEventListener('abort', leave));
          await ended.then(resolve, (error: unknown) => {
            if (error instanceof TaskError && error.hasBegun && !signal?.aborted) pause(owner);
            reject(error instanceof Error ? error : new Error('a task failed'));
          });
        });
        waiting.set(owner, own);
        startNext();
      });
    },
    async stop() {
      if (running.ofAll() + waiting.size > 0) await new Promise<void>((resolve) => (drained = resolve));
      processes.end();
    },
  };
}

/** Runs each task in an idle process, or in a new one. */
function createProcesses(file: URL, limits: PoolLimits) {
  /** With the timer that ends each one, because idle processes keep memory. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  function rest(child: ChildProcess): void {
    child.removeAllListeners('message').removeAllListeners('exit');
    idle.set(child, setTimeout(() => leaveIdle(child).kill('SIGKILL'), IDLE_MS).unref());
    child.once('exit', () => leaveIdle(child)).unref();
    child.channel?.unref();
  }

  function leaveIdle(child: ChildProcess): ChildProcess {
    clearTimeout(idle.get(child));
    idle.delete(child);
    return child;
  }

  function takeIdle(): ChildProcess | undefined {
    const [rested] = idle.keys();
    if (!rested) return undefined;
    leaveIdle(rested).ref();
    rested.channel?.ref();
    return rested.removeAllListeners('exit');
  }

  async function run(task: unknown, cpuMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    const rested = takeIdle();
    const child = rested ?? startProcess(file, limits);
    let hasBegun = false;
    let progress: unknown;
    let timer: NodeJS.Timeout | undefined;
    const listening = new AbortController();
    try {
      const result = await new Promise((resolve, reject) => {
        timer = setTimeout(reject, START_MS);
        child.on('message', (message: TaskMessage) => {
          if (message.kind === 'result') return resolve(message.value);
          if (message.kind === 'progress') return void (progress = message.value);
          hasBegun = true;
          clearTimeout(timer);
          const remainingMs = limitOf(child, cpuMs);
          const check = () => {
            const ms = remainingMs();
            timer = setTimeout(ms <= 0 ? reject : check, ms);
          };
          check();
        });
        child.once('exit', reject);
        signal?.addEventListener('abort', reject, { signal: listening.signal });
        child.send(task as object, (error) => error && reject(error));
      });
      rest(child);
      return result;
    } catch {
      child.kill('SIGKILL');
      // The process may have ended since its last task.
      if (rested && !hasBegun && !signal?.aborted) return await run(task, cpuMs, signal);
      throw new TaskError(hasBegun, progress);
    } finally {
      clearTimeout(timer);
      listening.abort();
    }
  }

  return {
    run,
    end() {
      for (const child of idle.keys()) child.kill('SIGKILL');
    },
  };
}

/** How much longer than its processor time a task may take on a busy machine. */
const MAX_SLOWDOWN = 5;

/** Returns a function that returns the remaining time of a task that begins now. Without `/proc`, that of the clock. */
function limitOf({ pid }: ChildProcess, cpuMs: number): () => number {
  const [end, latest] = [cpuMsOf(pid) + cpuMs, performance.now() + cpuMs * MAX_SLOWDOWN];
  return () => Math.min(end - cpuMsOf(pid), latest - performance.now());
}

/** Returns the processor time of a process. Linux counts it in hundredths of a second: proc_pid_stat(5). */
function cpuMsOf(pid: number | undefined): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
    return (Number(user) + Number(system)) * 10;
  } catch {
    return performance.now();
  }
}

function startProcess(file: URL, { maxHeapMb }: PoolLimits): ChildProcess {
  const child = fork(PROGRAM, [file.href], {
    // A parser of strangers' files needs no secrets.
    env: {},
    execArgv: [`--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // An error without a listener would end this process. `exit` or the time limit follows.
  return child.on('error', () => undefined);
}
