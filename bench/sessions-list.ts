/**
 * `node bench/sessions-list.ts`: what a page of one user's sessions costs, with 1,000 sessions in all and with 1,000,000
 * of 1,000 users. `--plans` prints PostgreSQL's plans. Needs 6 GB of disk and a quarter of an hour.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { presentSessionListItem } from '../api/presenters/session.ts';
import { addSessionDetails } from '../db/queries/session-details.ts';
import { connectDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { findSessionPage } from '../db/queries/list-sessions.ts';
import type { SessionFilter } from '../db/queries/filter-sessions.ts';
import { startPostgres } from '../local/postgres.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { fillSessions, idOfAssistant, idOfUser, NEWEST, PER_USER } from './fill-sessions.ts';

const SIZES = [1, 1_000];
const LIMIT = 50;
const WARM_UP = 20;
const ROUNDS = 200;

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(NEWEST - days * DAY_MS);

/** Returns, by the name of a filter, what a user (counted from 0) asks with it. */
const FILTERS: Record<string, (user: number) => ListFilter> = {
  'first page': () => ({}),
  'status=completed (90 %)': () => ({ status: 'completed' }),
  'status=failed (4 %)': () => ({ status: 'failed' }),
  'status=canceled (0.5 %)': () => ({ status: 'canceled' }),
  'type=voice (20 %)': () => ({ type: 'voice' }),
  'assistant_id (one of 20)': (user) => ({ assistant_id: idOfAssistant(user, 7) }),
  'assistant_id (of nobody)': () => ({ assistant_id: idOfAssistant(0, 99) }),
  'created_after, a week ago': () => ({ created_after: daysAgo(7) }),
  'created_before, 300 days ago': () => ({ created_before: daysAgo(300) }),
  'a week of half a year ago': () => ({ created_after: daysAgo(183), created_before: daysAgo(176) }),
  'delivery_status=delivered (95 %)': () => ({ delivery_status: 'delivered' }),
  'delivery_status=failed (2 %)': () => ({ delivery_status: 'failed' }),
  'delivery_status=pending (0.2 %)': () => ({ delivery_status: 'pending' }),
  'metadata.call_id (one session)': () => ({ metadata: { call_id: 'c-500' } }),
  'metadata.channel (all)': () => ({ metadata: { channel: 'phone' } }),
  'min_cost (1 %)': () => ({ min_cost: 0.1 }),
  'min_cost (all)': () => ({ min_cost: 0.0001 }),
  'q, a word in all': () => ({ q: 'parcel' }),
  'q, a word in 1 %': () => ({ q: 'zebra' }),
  'q, a word in none': () => ({ q: 'unicorn' }),
  'q, a phrase in 1 %': () => ({ q: '"striped zebra"' }),
  'q, all without one': () => ({ q: 'parcel -zebra' }),
  'all at once': (user) => ({
    ...{ status: 'completed', type: 'text', assistant_id: idOfAssistant(user, 2), delivery_status: 'delivered' },
    ...{ created_after: daysAgo(300), q: 'parcel' },
  }),
};

type ListFilter = SessionFilter & { q?: string };

interface Measured {
  p50Ms: number;
  p90Ms: number;
  rows: number;
  plan: string;
}

const directory = mkdtempSync(join(tmpdir(), 'cas-bench-'));
mkdirSync(join(directory, 'run'));
const postgres = await startPostgres({ directory, password: 'bench', log: createLog('warn') });
const db = connectDatabase({ url: postgres.databaseUrl, poolMax: 2 });
const filler = new pg.Client({ connectionString: postgres.databaseUrl });
try {
  await migrate(postgres.databaseUrl);
  await filler.connect();
  const measured: Record<string, Measured>[] = [];
  for (const users of SIZES) {
    console.log(`Filling ${(users * PER_USER).toLocaleString('en')} sessions …`);
    await fillSessions(filler, users);
    const results: Record<string, Measured> = {};
    for (const [name, filterOf] of Object.entries(FILTERS)) results[name] = await measure(users, filterOf);
    measured.push(results);
  }
  print(measured);
} finally {
  await filler.end();
  await db.destroy();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

/** Measures what the endpoint reads for a page, of another user each time. */
async function measure(users: number, filterOf: (user: number) => ListFilter): Promise<Measured> {
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const user = (round * 7_919) % users;
    const started = performance.now();
    const page = await findSessionPage(idOfUser(user), filterOf(user), { limit: LIMIT });
    (await addSessionDetails(page.rows)).map(presentSessionListItem);
    if (round >= WARM_UP) times.push(performance.now() - started);
    rows = page.rows.length;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { p50Ms: at(0.5), p90Ms: at(0.9), rows, plan: await explain(filterOf((users / 2) | 0), (users / 2) | 0) };
}

async function explain(filter: ListFilter, user: number): Promise<string> {
  const queries: Query[] = [];
  const note = (query: Query) => void queries.push(query);
  db.on('query', note);
  await findSessionPage(idOfUser(user), filter, { limit: LIMIT });
  db.removeListener('query', note);
  const plans: string[] = [];
  for (const { sql, bindings } of queries) {
    const { rows } = await filler.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${sql}`, [...bindings]);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans.join('\n\n');
}

interface Query {
  sql: string;
  bindings: readonly unknown[];
}

function print([few = {}, many = {}]: Record<string, Measured>[]): void {
  console.log(
    '\n| filter | rows | 1,000: p50 ms | p90 | 1,000,000: p50 ms | p90 | p50 ratio |\n|---|---|---|---|---|---|---|',
  );
  for (const [name, { rows, p50Ms, p90Ms }] of Object.entries(many)) {
    const base = few[name];
    if (!base) continue;
    const cells = [
      rows,
      ...[base.p50Ms, base.p90Ms, p50Ms, p90Ms].map((ms) => ms.toFixed(1)),
      (p50Ms / base.p50Ms).toFixed(2),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  if (!process.argv.includes('--plans')) return;
  for (const [name, { plan }] of Object.entries(many)) console.log(`\n## ${name}\n${plan}`);
}
