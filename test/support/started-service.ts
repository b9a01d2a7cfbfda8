/** Runs the whole service as `npm start` does, in its own process and data directory. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Assistant } from '../../contract/assistants/assistant-schemas.ts';
import type { Endpoints } from '../../local/start.ts';
import { identifyProcess } from '../../local/process-identity.ts';
import { send } from './api.ts';
import { eventually } from './eventually.ts';
import { endWithRun } from './run.ts';

/** Long enough for a busy machine. A start takes about five seconds. */
export const START_TIMEOUT_MS = 300_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StartedProcess {
  /** Returns everything that the process printed, including errors. */
  output(): string;
  /** Returns the IDs of the running process and its descendants. */
  findPids(): number[];
  ended: Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
}

/** A start collects less garbage in more memory, and takes a quarter less of the processor. */
const ROOMY = '--min-semi-space-size=64';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a program of the project. Of this process's environment, it inherits only what is needed to find programs and caches. */
export function runProgram(script: string, env: Record<string, string>, project = ROOT): StartedProcess {
  const { PATH, HOME, XDG_CACHE_HOME, TEMPORAL_CLI_PATH, NODE_COMPILE_CACHE } = process.env;
  const variables = { PATH, HOME, XDG_CACHE_HOME, TEMPORAL_CLI_PATH, NODE_COMPILE_CACHE };
  const passed = Object.entries(variables).filter(([, value]) => value);
  const child = spawn(process.execPath, [ROOMY, join(project, script)], {
    env: { ...(Object.fromEntries(passed) as Record<string, string>), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) endWithRun(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return {
    output: () => output,
    findPids: () => (child.exitCode === null && child.signalCode === null ? findFamily(child.pid ?? 0) : []),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
    signal: (signal) => void child.kill(signal),
  };
}

function findFamily(pid: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    processes.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...childrenOf(child)]);
  return [pid, ...childrenOf(pid)];
}

export const isAlive = (pid: number) => identifyProcess(pid) !== undefined;

/** Resolves when none of the processes is alive. */
export const untilEnded = (pids: readonly number[]) => eventually(() => pids.filter(isAlive), []);

export interface TestService extends StartedProcess {
  url: string;
  endpoints: Endpoints;
  /** Stops the service. Default: SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  /** Kills the service and all of its processes, like a power cut. */
  crash(): Promise<void>;
}

/** Starts the service, of another copy of the project if one is given. Resolves when it is ready. */
export async function startService(
  directory: string,
  env: Record<string, string> = {},
  project = ROOT,
): Promise<TestService> {
  const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, RATE_LIMIT_PER_MINUTE: '0', ...env };
  const program = runProgram('local/main.ts', settings, project);
  const { ended, output } = program;
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await eventually(output, (text) => hasEnded || text.includes('Ready.'), START_TIMEOUT_MS);
  if (hasEnded) throw new Error(`the service did not start: ${output()}`);
  const endpoints = JSON.parse(readFileSync(join(directory, 'endpoints.json'), 'utf8')) as Endpoints;
  return {
    ...program,
    url: endpoints.api_url,
    endpoints,
    stop(signal = 'SIGTERM') {
      program.signal(signal);
      return ended;
    },
    async crash() {
      const pids = program.findPids();
      // Kills the parent first, because it would restart its servers.
      for (const pid of pids) kill(pid);
      // Waits only until the processes are dead, not until they are reaped: a start must handle zombies.
      await untilEnded(pids);
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals | 0 = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Registers an account with the API. */
export async function register(service: { url: string }): Promise<{ token: string; email: string; password: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const password = crypto.randomUUID();
  const { body } = await send(service, 'register', { body: { email, password, name: 'Ada' } });
  return { token: body.token, email, password };
}

/** Creates a text assistant that uses the stand-ins. */
export async function addAssistant(service: { url: string }, token: string, fields: object = {}): Promise<Assistant> {
  const settings = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarize.', ...fields };
  return (await send(service, 'createAssistant', { token, body: settings })).body;
}
