/**
 * `npm run bench:production`: what a text session with a webhook costs in the production shape, the former release and
 * this one in turn: processor time by process, at work and at rest, and disk. docs/performance.md, "A session".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { CONVERSATION } from '../../bench/account.ts';
import { API_BASE } from '../../contract/constants.ts';
import { runBackwards, runMain, StartError } from '../../runtime/process.ts';
import type { Stop } from '../../runtime/process.ts';
import { familyMs } from '../../bench/family-ms.ts';
import { describeThisRelease, findFormerRelease } from './former-release.ts';
import { startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import { createUsers } from './load.ts';
import type { LoadUser } from './load.ts';
import type { Release } from './service.ts';

const OPTIONS = { sessions: { type: 'string', default: '500' }, former: { type: 'string' } } as const;

const WARM_UP = 100;
/** As many as keep a machine of two cores busy, and no more of one user than may be under way at once. */
const IN_FLIGHT_PER_USER = 10;
const SETTLE_MS = 1_000;
/** How long the installation is left alone for its costs at rest. */
const REST_S = 20;

/** Requests of one client that may be refused, since the machine is busy, and are made again. */
const MAX_REFUSED = 10;

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
    const users = await createUsers(installation.proxy.url, `${installation.receiver.url}/webhook`);
    await run(installation, users, WARM_UP);
    await untilListed(installation);
    await vacuum(installation);
    const rest = await spentDuring(installation, () => sleep(REST_S * 1_000));
    const load = () => costOfLoad(installation, rest, () => run(installation, users, sessions));
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

/** Returns what a load costs with all that Temporal writes of it later, but not what that wait costs at rest. */
async function costOfLoad(installation: Installation, rest: Costs, work: () => Promise<void>): Promise<Costs> {
  let waitedS = 0;
  const { cpuMs, ...costs } = await spentDuring(installation, async () => {
    await work();
    const ended = Date.now();
    await untilListed(installation);
    waitedS = (Date.now() - ended) / 1_000;
  });
  return { ...costs, cpuMs: cpuMs.map((ms, index) => ms - ((rest.cpuMs[index] ?? 0) / REST_S) * waitedS) };
}

/** Submits as clients do that wait for the result; resolves when every webhook has come as well. */
async function run({ proxy, receiver }: Installation, users: readonly LoadUser[], sessions: number): Promise<void> {
  const wanted = receiver.requests.length + sessions;
  let left = sessions;
  const work = async (user: LoadUser) => {
    const headers = { Authorization: user.authorization, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ assistant_id: user.textAssistant, conversation: CONVERSATION });
    for (let refused = 0; left-- > 0;) {
      const response = await fetch(`${proxy.url}${API_BASE}/v1/requests/text`, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.ok) continue;
      if (++refused > MAX_REFUSED) throw new StartError(`${response.status} ${text}`);
      left += 1;
      await sleep(SETTLE_MS);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT_PER_USER }, () => users.map(work)).flat());
  while (receiver.requests.length < wanted) await sleep(SETTLE_MS);
  await sleep(SETTLE_MS);
}

/** Frees what updated rows left, as PostgreSQL does by itself in time. */
async function vacuum(installation: Installation): Promise<void> {
  for (const name of DATABASES) await query(installation, name, 'vacuum');
}

/** Resolves when Temporal's visibility knows the end of every session: it is written some seconds later. */
async function untilListed(installation: Installation): Promise<void> {
  const { rows: sessions } = await installation.database.query<{ id: string }>('select id from sessions');
  const unlisted = `select 1 from unnest($1::text[]) as id where not exists
    (select from executions_visibility where workflow_id = id and close_time is not null)`;
  const ids = sessions.map(({ id }) => id);
  while ((await query(installation, 'temporal_visibility', unlisted, [ids])).length > 0) await sleep(SETTLE_MS);
}

/** Runs a statement in one of the databases and returns its rows. */
async function query({ database }: Installation, name: (typeof DATABASES)[number], sql: string, values?: unknown[]) {
  const url = new URL(database.options.connectionString ?? '');
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query<object>(sql, values);
  await client.end();
  return rows;
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
