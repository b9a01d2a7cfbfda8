/**
 * `npm run bench:production`: what a text session with a webhook costs in the production shape, the former release and
 * this one in turn: processor time by process, at work and at rest, and disk. docs/performance.md, "What a session costs".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { API_BASE } from '../../contract/constants.ts';
import { runBackwards, runMain, StartError } from '../../runtime/process.ts';
import type { Stop } from '../../runtime/process.ts';
import { describeThisRelease, findFormerRelease } from './former-release.ts';
import { startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import { createUsers } from './load.ts';
import type { LoadUser } from './load.ts';
import type { Release } from './service.ts';

const OPTIONS = { sessions: { type: 'string', default: '500' }, former: { type: 'string' } } as const;

const WARM_UP = 100;
/** Few, so that a slow machine refuses nobody. */
const IN_FLIGHT = 4;
const SETTLE_MS = 1_000;
/** How long the installation is left alone for its costs at rest. */
const REST_S = 20;

/** Requests of one client that may be refused, since the machine is busy, and are made again. */
const MAX_REFUSED = 10;

/** Of Linux, where `sysconf(_SC_CLK_TCK)` is 100 on every machine that Node runs on. */
const MS_PER_TICK = 10;

const ROLES = ['api', 'worker', 'temporal', 'postgres'] as const;
const DATABASES = ['temporal', 'temporal_visibility', 'app'] as const;

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

await runMain(async () => {
  const { values } = parseArgs({ options: OPTIONS });
  const current = await describeThisRelease();
  const former = await findFormerRelease(values.former, console.log);
  const rows: string[][] = [];
  for (const release of [former, current]) {
    console.log(`Measuring ${release.buildId} …`);
    rows.push([release.buildId, ...(await measure(release, Number(values.sessions)))]);
  }
  const disk = (when: string) => DATABASES.map((name) => `${name}${when}, kB`);
  const cpu = [...ROLES, 'all'].map((name) => `${name}, ms`);
  const head = ['release', ...cpu, 'at rest, ms/s', ...disk(''), ...disk(' after a vacuum'), 'commits of our own'];
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
  process.exit(0);
});

/**
 * Returns what one session cost: milliseconds by role and in all, and kB by database for a first load and for a second one
 * after a vacuum, which fills what dead rows left, as autovacuum has every load do in the long run.
 */
async function measure(release: Release, sessions: number): Promise<string[]> {
  const stops: Stop[] = [];
  try {
    const installation = await startInstallation({
      ...{ releases: { current: release, former: release }, release, stops, say: () => undefined },
    });
    const [user] = await createUsers(installation.proxy.url, `${installation.receiver.url}/webhook`);
    if (!user) throw new StartError('there is no user');
    const load = () => spentDuring(installation, () => run(installation, user, sessions));
    await run(installation, user, WARM_UP);
    await vacuum(installation);
    const rest = await spentDuring(installation, () => sleep(REST_S * 1_000));
    const first = await load();
    await vacuum(installation);
    const second = await load();
    const cpuMs = first.cpuMs.map((ms, index) => (ms + (second.cpuMs[index] ?? 0)) / 2 / sessions);
    const perSession = [first.bytes, second.bytes].flat().map((bytes) => bytes / 1_000 / sessions);
    const atRest = add(rest.cpuMs) / REST_S;
    const figures = [...cpuMs, add(cpuMs), atRest, ...perSession, (first.commits + second.commits) / 2 / sessions];
    return figures.map((value) => value.toFixed(1));
  } finally {
    await runBackwards(stops);
  }
}

interface Costs {
  /** By role. */
  cpuMs: number[];
  /** By database. */
  bytes: number[];
  /** Transactions of the service's own database, those that only read included. */
  commits: number;
}

async function spentDuring(installation: Installation, work: () => Promise<void>): Promise<Costs> {
  const before = await readCosts(installation);
  await work();
  const after = await readCosts(installation);
  const minus = (later: number[], earlier: number[]) => later.map((value, index) => value - (earlier[index] ?? 0));
  return {
    cpuMs: minus(after.cpuMs, before.cpuMs),
    bytes: minus(after.bytes, before.bytes),
    commits: after.commits - before.commits,
  };
}

/** Submits as clients do that wait for the result; resolves when every webhook has come as well. */
async function run({ proxy, receiver }: Installation, user: LoadUser, sessions: number): Promise<void> {
  const wanted = receiver.requests.length + sessions;
  const body = JSON.stringify({
    assistant_id: user.textAssistant,
    conversation: [
      { role: 'operator', text: 'Good morning, how can I help?' },
      { role: 'client', text: 'My parcel has not arrived.' },
    ],
  });
  const headers = { Authorization: user.authorization, 'Content-Type': 'application/json' };
  let left = sessions;
  const work = async () => {
    for (let refused = 0; left-- > 0;) {
      const response = await fetch(`${proxy.url}${API_BASE}/v1/requests/text`, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.ok) continue;
      if (++refused > MAX_REFUSED) throw new StartError(`${response.status} ${text}`);
      left += 1;
      await sleep(SETTLE_MS);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  while (receiver.requests.length < wanted) await sleep(SETTLE_MS);
  await sleep(SETTLE_MS);
}

/** Frees what updated rows left, as PostgreSQL does by itself in time. */
async function vacuum({ database }: Installation): Promise<void> {
  for (const name of DATABASES) {
    const url = new URL(database.options.connectionString ?? '');
    url.pathname = `/${name}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query('vacuum');
    await client.end();
  }
}

async function readCosts({ settings, database }: Installation): Promise<Costs> {
  const folder = join(settings.directory, 'run');
  const pidFiles = readdirSync(folder).filter((name) => name.endsWith('.pid'));
  const cpuMs = ROLES.map((role) => {
    const pids = pidFiles.filter((name) => name.startsWith(role)).map((name) => readPid(join(folder, name)));
    return pids.reduce((sum, pid) => sum + familyMs(pid), 0);
  });
  const { rows } = await database.query<{ bytes: string }>(
    'select pg_database_size(name) as bytes from unnest($1::text[]) with ordinality as given (name, place) order by place',
    [DATABASES],
  );
  const { rows: counted } = await database.query<{ commits: string }>(
    `select xact_commit as commits from pg_stat_database where datname = 'app'`,
  );
  return { cpuMs, bytes: rows.map(({ bytes }) => Number(bytes)), commits: Number(counted[0]?.commits) };
}

function readPid(file: string): number {
  return Number.parseInt(readFileSync(file, 'utf8'), 10);
}

/** Returns the processor time of a process, its children, and those that have ended. */
function familyMs(pid: number): number {
  const stat = ifThere(() => statOf(pid)) ?? [];
  const own = stat.slice(11, 15); // utime, stime, and both of children that have ended
  const ticks = own.reduce((sum, value) => sum + Number(value), 0);
  return ticks * MS_PER_TICK + childrenOf(pid).reduce((sum, child) => sum + familyMs(child), 0);
}

/** Returns undefined where a process or thread has ended meanwhile; its parent has its time then. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Fields of proc_pid_stat(5) from the third on: before it stands the command, which may hold spaces. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

function childrenOf(pid: number): number[] {
  const tasks = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return tasks.flatMap((task) => {
    const text = ifThere(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim()) ?? '';
    return text === '' ? [] : text.split(' ').map(Number);
  });
}
