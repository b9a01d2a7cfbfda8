/**
 * One run of the tests: a directory that holds everything it keeps, and the servers that all its processes share. The
 * servers belong to a process of their own, which ends them and removes the directory once the runner is gone, however
 * it went.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identifyProcess } from '../../local/process-identity.ts';
import { eventually } from './eventually.ts';

const SERVERS = fileURLToPath(new URL('run-servers.ts', import.meta.url));

/** Handed down to every process of the run. */
const VARIABLE = 'TEST_RUN_DIRECTORY';

/** What Node keeps of the code that it has compiled: a program of the project starts with two thirds of the work. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** The program of a server may have to be built: minutes. */
const SERVER_TIMEOUT_MS = 600_000;

export type ServerName = 'postgres';

/** What is known of a server once its start has ended. */
export type ServerFile = { address: string } | { error: string };

export interface TestRun {
  directory: string;
  stop(): Promise<void>;
}

/** Starts the servers; `serverAddress` waits for them. */
export function startRun(): TestRun {
  const directory = mkdtempSync(join(tmpdir(), 'cas-test-'));
  process.env[VARIABLE] = directory;
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  // Detached: Ctrl-C ends the runner alone. The pipe closes when the runner ends, and tells the servers to.
  const servers = spawn(process.execPath, [SERVERS, directory], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return {
    directory,
    async stop() {
      servers.stdin.end();
      if (servers.exitCode === null && servers.signalCode === null) await once(servers, 'exit');
    },
  };
}

export function runDirectory(): string {
  const directory = process.env[VARIABLE];
  if (directory === undefined) throw new Error('the run is started by test/support/hooks.ts');
  return directory;
}

/** Tells the processes of one run apart, which share its servers. Mocha numbers them. */
export const runnerName = () => `runner_${process.env['MOCHA_WORKER_ID'] ?? '0'}`;

export const serverFile = (directory: string, name: ServerName) => join(directory, `${name}.json`);

/** Returns where the server of this run is; throws what kept it from starting. */
export async function serverAddress(name: ServerName): Promise<string> {
  const file = serverFile(runDirectory(), name);
  await eventually(
    () => existsSync(file),
    (isThere) => isThere,
    SERVER_TIMEOUT_MS,
  );
  const server = JSON.parse(readFileSync(file, 'utf8')) as ServerFile;
  if ('error' in server) throw new Error(server.error);
  return server.address;
}

/** Has the process ended with the run, if nobody has ended it by then. */
export function endWithRun(pid: number): void {
  const directory = join(runDirectory(), 'programs', 'run');
  mkdirSync(directory, { recursive: true });
  const identity = identifyProcess(pid);
  if (identity !== undefined) writeFileSync(join(directory, `${pid}.pid`), identity);
}
