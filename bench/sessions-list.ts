/**
 * `node bench/sessions-list.ts`: what a page of one user's sessions costs, and the counts of an assistant's fields, with
 * 1,000 sessions in all and with 1,000,000 of 1,000 users. `--users N` takes fewer, `--plans` prints PostgreSQL's plans.
 * Needs 8 GB of disk, as much memory, and a quarter of an hour.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { Model } from 'objection';
import pg from 'pg';
import { toFieldFilters } from '../api/lookups/session-filter.ts';
import { presentSessionListItem } from '../api/presenters/session.ts';
import { AssistantFieldModel } from '../db/models/assistant-field.ts';
import { findFieldResults } from '../db/queries/field-results.ts';
import { addSessionDetails } from '../db/queries/session-details.ts';
import { connectDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { findSessionPage } from '../db/queries/list-sessions.ts';
import type { SessionFilter } from '../db/queries/filter-sessions.ts';
import { startPostgres } from '../local/postgres.ts';
import { createLog } from '../runtime/telemetry/log.ts';
import { fillSessions, idOfAssistant, idOfUser, NEWEST, PER_USER } from './fill-sessions.ts';
import { quantile } from './load.ts';

const { values: options } = parseArgs({
  options: { users: { type: 'string', default: '1000' }, plans: { type: 'boolean', default: false } },
});
const SIZES = [1, Number(options.users)];
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
  'field equal (90 %)': (user) => byFields(user, 'reason:eq:parcel'),
  'field equal (2 %)': (user) => byFields(user, 'reason:eq:zebra'),
  'field equal (nothing)': (user) => byFields(user, 'order_id:eq:B-1'),
  'field in a range (30 %)': (user) => byFields(user, 'score:gte:8'),
  'field null (10 %)': (user) => byFields(user, 'score:null'),
  'field one of two': (user) => byFields(user, 'reason:eq:zebra', 'reason:eq:lion'),
  'fields, two of them': (user) => byFields(user, 'score:gte:8', 'reason:eq:parcel'),
};

/** Periods, in days, of which the fields of an assistant are counted. */
const COUNTED: Record<string, { days: number; field: string[] }> = {
  'counts of fields, 30 days': { days: 30, field: [] },
  'counts of fields, a year': { days: 366, field: [] },
  'counts of fields, a year, filtered': { days: 366, field: ['score:gte:8'] },
};

type ListFilter = SessionFilter & { q?: string; field?: string[] };

const byFields = (user: number, ...field: string[]): ListFilter => ({ assistant_id: idOfAssistant(user, 7), field });

interface Measured {
  p50Ms: number;
  p90Ms: number;
  rows: number;
  /** Pages of 8 KiB that PostgreSQL looked at for one read, which do not depend on the machine. */
  blocks: number;
  plan: string;
}

/** A database with the sessions of so many users. */
interface Filled {
  users: number;
  db: Knex;
  filler: pg.Client;
}

/** What is measured is the plans and not the disk, which 1,000 sessions never wait for. */
const IN_MEMORY = { shared_buffers: '8GB', fsync: 'off', max_wal_size: '16GB', autovacuum: 'off' };

const directory = mkdtempSync(join(tmpdir(), 'cas-bench-'));
mkdirSync(join(directory, 'run'));
const postgres = await startPostgres({ directory, password: 'bench', log: createLog('warn'), settings: IN_MEMORY });
const databases: Filled[] = [];
try {
  for (const users of SIZES) databases.push(await fill(users));
  const results: Record<string, Measured[]> = {};
  for (const [name, filterOf] of Object.entries(FILTERS)) {
    results[name] = await measure((user) => list(user, filterOf(user)));
  }
  for (const [name, query] of Object.entries(COUNTED)) {
    results[name] = await measure((user) => count(user, query));
  }
  print(results);
} finally {
  for (const { db, filler } of databases) await Promise.all([db.destroy(), filler.end()]);
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

async function fill(users: number): Promise<Filled> {
  console.log(`Filling ${(users * PER_USER).toLocaleString('en')} sessions …`);
  const admin = new pg.Client({ connectionString: postgres.databaseUrl });
  await admin.connect();
  await admin.query(`create database users_${users}`);
  await admin.end();
  const url = Object.assign(new URL(postgres.databaseUrl), { pathname: `/users_${users}` }).href;
  await migrate(url);
  const filler = new pg.Client({ connectionString: url });
  await filler.connect();
  await fillSessions(filler, { users: Array.from({ length: users }, (_, user) => idOfUser(user)) });
  return { users, db: connectDatabase({ url, poolMax: 2 }), filler };
}

/** Reads what the endpoint reads for a page, and returns the number of rows. */
async function list(user: number, { field = [], ...filter }: ListFilter): Promise<number> {
  const fields = toFieldFilters(await knownFields(user, filter.assistant_id, field), field);
  const page = await findSessionPage(idOfUser(user), { ...filter, fields }, { limit: LIMIT });
  return (await addSessionDetails(page.rows)).map(presentSessionListItem).length;
}

async function knownFields(user: number, assistantId: string | undefined, field: readonly string[]) {
  return assistantId === undefined || field.length === 0
    ? []
    : AssistantFieldModel.findKnown(idOfUser(user), assistantId);
}

/** Counts as the endpoint does, and returns the number of sessions. */
async function count(user: number, { days, field }: { days: number; field: string[] }): Promise<number> {
  const known = await AssistantFieldModel.findKnown(idOfUser(user), idOfAssistant(user, 7));
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const query = { from: dayOf(daysAgo(days)), to: dayOf(daysAgo(0)), filters: toFieldFilters(known, field) };
  return (await findFieldResults(known, query, 500_000))?.sessions ?? 0;
}

/** Measures one read, of another user each time, in both databases by turns, so that they share what the machine does. */
async function measure(read: (user: number) => Promise<number>): Promise<Measured[]> {
  const times: number[][] = databases.map(() => []);
  const rows: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [index, { users, db }] of databases.entries()) {
      Model.knex(db);
      const user = (round * 7_919) % users;
      const started = performance.now();
      rows[index] = await read(user);
      if (round >= WARM_UP) times[index]?.push(performance.now() - started);
    }
  }
  const measured: Measured[] = [];
  for (const [index, filled] of databases.entries()) {
    const sorted = (times[index] ?? []).sort((a, b) => a - b);
    const of = { p50Ms: quantile(sorted, 0.5), p90Ms: quantile(sorted, 0.9), rows: rows[index] ?? 0 };
    measured.push({ ...of, ...(await explain(filled, read)) });
  }
  return measured;
}

async function explain({ users, db, filler }: Filled, read: (user: number) => Promise<number>) {
  Model.knex(db);
  const queries: Query[] = [];
  const note = (query: Query) => {
    if (query.sql.includes('from')) queries.push(query);
  };
  db.on('query', note);
  await read((users / 2) | 0);
  db.removeListener('query', note);
  const plans: string[] = [];
  let blocks = 0;
  for (const { sql, bindings } of queries) {
    const { rows } = await filler.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${sql}`, [...bindings]);
    const lines = rows.map((row) => row['QUERY PLAN']);
    // The first line of its kind is of the whole statement.
    blocks += Number(/shared hit=(\d+)/.exec(lines.find((line) => line.includes('Buffers:')) ?? '')?.[1] ?? 0);
    plans.push(lines.join('\n'));
  }
  return { blocks, plan: plans.join('\n\n') };
}

interface Query {
  sql: string;
  bindings: readonly unknown[];
}

function print(results: Record<string, Measured[]>): void {
  console.log('\n| filter | rows | few: p50 ms | p90 | blocks | all: p50 ms | p90 | blocks | p50 ratio |');
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const [name, [few, all]] of Object.entries(results)) {
    if (!few || !all) continue;
    const cells = [few, all].flatMap(({ p50Ms, p90Ms, blocks }) => [p50Ms.toFixed(1), p90Ms.toFixed(1), blocks]);
    console.log(`| ${[name, all.rows, ...cells, (all.p50Ms / few.p50Ms).toFixed(2)].join(' | ')} |`);
  }
  if (!options.plans) return;
  for (const [name, [, all]] of Object.entries(results)) console.log(`\n## ${name}\n${all?.plan ?? ''}`);
}
