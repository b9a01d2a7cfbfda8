/**
 * A test run has a directory with all of its files, and servers that all of its processes share. A separate process runs the
 * servers. When the runner ends, even if it is killed, that process stops the servers and removes the directory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identifyProcess } from '../../local/process-identity.ts';
import { eventually } from './eventually.ts';

const SERVERS = fileURLToPath(new URL('run-servers.ts', import.meta.url));

/** Environment variable with the run's directory, inherited by every process of the run. */
const VARIABLE = 'TEST_RUN_DIRECTORY';

/** Long, because the server's program may have to be built. */
const SERVER_TIMEOUT_MS = 600_000;

export type ServerName = 'postgres';

/** The result of starting a server. */
export type ServerFile = { address: string } | { error: string };

export interface TestRun {
  directory: string;
  stop(): Promise<void>;
}

/** Starts the servers, without waiting for them: `serverAddress` does. */
export function startRun(): TestRun {
  const directory = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'cas-test-'));
  process.env[VARIABLE] = directory;
  // Detached, so Ctrl-C reaches only the runner. When the runner ends, the pipe closes and the servers stop.
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

const MEMORY = '/dev/shm';
/** More than the files of a run. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/** Returns Linux's folder in memory, if it has enough space and programs may run from it. Writing to a disk costs processor time. */
function folderInMemory(): string | undefined {
  const mount = existsSync(MEMORY) && readFileSync('/proc/mounts', 'utf8').match(/ \/dev\/shm tmpfs (\S+)/);
  if (!mount || mount[1]?.includes('noexec')) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < MIN_FREE_BYTES ? undefined : MEMORY;
}

/** Returns where programs put temporary files. The console's pictures are taken without a run. */
export const temporaryFolder = () => process.env[VARIABLE] ?? tmpdir();

export function runDirectory(): string {
  const directory = process.env[VARIABLE];
  if (directory === undefined) throw new Error('the run is started by test/support/hooks.ts');
  return directory;
}

/** Returns a name for this process that is unique in the run. Mocha numbers its processes. */
export const runnerName = () => `runner_${process.env['MOCHA_WORKER_ID'] ?? '0'}`;

export const serverFile = (directory: string, name: ServerName) => join(directory, `${name}.json`);

/** Returns the address of a server of this run. Throws if the server failed to start. */
export async function serverAddress(name: ServerName): Promise<string> {
  const file = serverFile(runDirectory(), name);
  await eventually(() => existsSync(file), true, SERVER_TIMEOUT_MS);
  const server = JSON.parse(readFileSync(file, 'utf8')) as ServerFile;
  if ('error' in server) throw new Error(server.error);
  return server.address;
}

/** Registers a process to be killed at the end of the run, if it is still running then. */
export function endWithRun(pid: number): void {
  const directory = join(runDirectory(), 'programs', 'run');
  mkdirSync(directory, { recursive: true });
  const identity = identifyProcess(pid);
  if (identity !== undefined) writeFileSync(join(directory, `${pid}.pid`), identity);
}
