/** Started by run.ts: runs the servers of one test run. When the runner exits, standard input closes and this process ends. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../local/postgres.ts';
import { readLivePid } from '../../local/process-identity.ts';
import { endOrphan, type Supervised } from '../../local/supervise.ts';
import { silentLog } from './log.ts';
import { serverFile, type ServerFile, type ServerName } from './run.ts';

const [, , directory = ''] = process.argv;

/** Fast but unsafe: the data is deleted after the run. Tests of crashes use the servers of `npm start`. */
const POSTGRES_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
const inputEnded = new Promise((resolve) => process.stdin.resume().once('close', resolve));

const servers = await Promise.all([
  start('postgres', async (own) => {
    const options = { password: randomUUID(), prefersUsualPort: false, settings: POSTGRES_SETTINGS };
    const { databaseUrl, stop } = await startPostgres({ ...own, ...options });
    return { address: databaseUrl, stop };
  }),
]);
await inputEnded;
await endPrograms();
await Promise.all(servers.flatMap((server) => (server ? [server.stop()] : [])));
rmSync(directory, { recursive: true, force: true });
process.exit(0);

type Server = Pick<Supervised, 'stop'> & { address: string };

/** Starts a server, and writes its address, or the error, to a file for the test processes. */
async function start(
  name: ServerName,
  startServer: (own: { directory: string; log: typeof silentLog }) => Promise<Server>,
): Promise<Server | undefined> {
  const own = join(directory, name);
  mkdirSync(join(own, 'run'), { recursive: true });
  const announce = (content: ServerFile) => {
    const file = serverFile(directory, name);
    writeFileSync(`${file}.new`, JSON.stringify(content));
    renameSync(`${file}.new`, file);
  };
  try {
    const server = await startServer({ directory: own, log: silentLog });
    announce({ address: server.address });
    return server;
  } catch (error) {
    announce({ error: String(error) });
    return undefined;
  }
}

/**
 * Stops processes that tests left running, by the pid files in the run's folders. Programs first, because a service would
 * restart its servers.
 */
async function endPrograms(): Promise<void> {
  const folders = readdirSync(directory).filter((name) => name !== 'postgres');
  const files = folders.flatMap((folder) => {
    const run = join(directory, folder, 'run');
    return pidFilesIn(run).map((name) => ({ isProgram: folder === 'programs', pidFile: join(run, name) }));
  });
  for (const { pidFile } of files.filter(({ isProgram }) => isProgram)) {
    const pid = readLivePid(pidFile);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
  // On SIGINT, PostgreSQL frees its shared memory. Temporal accepts it, too.
  await Promise.all(files.map(({ pidFile }) => endOrphan({ pidFile, stopSignal: 'SIGINT' })));
}

function pidFilesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.pid'));
  } catch {
    return [];
  }
}
