/**
 * `node bench/sessions-list.ts`: what a page of one user's sessions costs, and the counts of an assistant's fields, with
 * 1,000 sessions in all and with 1,000,000 of 1,000 users. `--users N` takes fewer, `--plans` prints PostgreSQL's plans.
 * Needs 8 GB of disk and a quarter of an hour.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
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
    await fillSessions(filler, { users: Array.from({ length: users }, (_, user) => idOfUser(user)) });
    const results: Record<string, Measured> = {};
    for (const [name, filterOf] of Object.entries(FILTERS)) {
      results[name] = await measure(users, (user) => list(user, filterOf(user)));
    }
    for (const [name, query] of Object.entries(COUNTED)) {
      results[name] = await measure(users, (user) => count(user, query));
    }
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

/** Measures one read, of another user each time. */
async function measure(users: number, read: (user: number) => Promise<number>): Promise<Measured> {
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const user = (round * 7_919) % users;
    const started = performance.now();
    rows = await read(user);
    if (round >= WARM_UP) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { p50Ms: at(0.5), p90Ms: at(0.9), rows, plan: await explain(() => read((users / 2) | 0)) };
}

async function explain(read: () => Promise<number>): Promise<string> {
  const queries: Query[] = [];
  const note = (query: Query) => {
    if (query.sql.includes('from')) queries.push(query);
  };
  db.on('query', note);
  await read();
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
    '\n| filter | rows | 1,000: p50 ms | p90 | all: p50 ms | p90 | p50 ratio |\n|---|---|---|---|---|---|---|',
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
  if (!options.plans) return;
  for (const [name, { plan }] of Object.entries(many)) console.log(`\n## ${name}\n${plan}`);
}
