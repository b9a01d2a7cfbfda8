/**
 * `npm run bench:production`: measures what a text session with a webhook costs in the production shape, for the former release
 * and this one: processor time by process, under load and idle, and disk. See docs/performance.md, "A session".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { CONVERSATION } from '../../bench/account.ts';
import { API_BASE } from '../../contract/values/constants.ts';
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
/** Enough to keep two cores busy, and within the limit of unfinished requests per user. */
const IN_FLIGHT_PER_USER = 10;
const SETTLE_MS = 1_000;
/** Duration of the measurement of the idle installation. */
const REST_S = 20;

/** How many refused requests a client repeats before the measurement fails. The machine is busy, so some are refused. */
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
 * Returns the cost of one session: milliseconds by role and in total, and kB by database for a first load and for a second one
 * after a vacuum. The second load reuses the space of dead rows, as it does in the long run with autovacuum.
 */
async function measure(release: Release, sessions: number): Promise<string[]> {
  const stops: Stop[] = [];
  try {
    const installation = await startInstallation({
      releases: { current: release, former: release },
      release,
      stops,
      say: () => undefined,
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
  /** Processor time by role. */
  cpuMs: number[];
  /** Disk space by database. */
  bytes: number[];
  /** Transactions in the service's database, including read-only ones. */
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

/** Returns the cost of a load, including what Temporal writes later, minus the idle cost of waiting for it. */
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

/** Submits sessions and waits for their results. Resolves when every webhook has arrived, too. */
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

/** Frees the space of dead rows, like autovacuum. */
async function vacuum(installation: Installation): Promise<void> {
  for (const name of DATABASES) await query(installation, name, 'vacuum');
}

/** Resolves when Temporal's visibility lists the end of every workflow, which takes some seconds. */
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
