/** Fills a database with sessions of many users over a year, with SQL. */
import type pg from 'pg';
import { TypeID } from 'typeid-js';

const PER_USER = 1_000;

/** Creation time of the newest session, in milliseconds since 1970. */
export const NEWEST = Date.UTC(2026, 10, 21);

const YEAR_MS = 365 * 24 * 3_600_000;

const idOf = (prefix: string, number: number) =>
  TypeID.fromUUID(prefix, `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`).toString();

/** Returns the ID of the user with this number, from 0. */
export const idOfUser = (user: number) => idOf('user', user);

export const idOfAssistant = (user: number, index: number) => idOf('asst', user * 100 + index);

interface Filling {
  /** IDs of the owning workspaces. Missing ones are created. */
  users: readonly string[];
  perUser?: number;
  /** Whether full-text search finds the sessions. */
  isSearchable?: boolean;
}

/** Replaces all sessions. */
export async function fillSessions(
  client: pg.Client,
  { users, perUser = PER_USER, isSearchable = false }: Filling,
): Promise<void> {
  // Triggers and foreign keys would take an hour. The statements below do the same for all rows at once.
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
  );
  await forgetSessions(client);
  const indexes = await dropIndexes(client);
  await client.query(
    `insert into workspaces (id, name) select id, 'Ada' from unnest($1::text[]) id on conflict do nothing`,
    [users],
  );
  const assistants = Array.from({ length: users.length * 20 }, (_, index) =>
    idOfAssistant(Math.floor(index / 20), index % 20),
  );
  await client.query('drop table if exists made');
  await client.query(MADE, [users, NEWEST, YEAR_MS, perUser, assistants]);
  for (const statement of isSearchable ? [...LISTED, WORDS] : LISTED) await client.query(statement);
  for (const index of indexes) await client.query(index);
  await client.query('drop table made');
  await client.query('vacuum analyze sessions, session_changes, deliveries, session_words');
}

/** Removes all sessions of all workspaces, and everything that refers to them. */
export async function forgetSessions(client: pg.Client): Promise<void> {
  await client.query('truncate assistants, sessions, session_changes cascade');
}

/** Drops the indexes, except those of constraints. Returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('sessions', 'session_changes', 'session_words', 'deliveries') and indexname not like '%_pkey'`,
  );
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  return rows.map(({ definition }) => definition);
}

/** An ID starts with ten characters of time: digits of base 32. In these IDs, the other sixteen are a number. */
const TIME = Array.from(
  { length: 10 },
  (_, index) => `substr('0123456789abcdefghjkmnpqrstvwxyz', (time >> ${45 - 5 * index} & 31)::integer + 1, 1)`,
).join(' || ');

/** $1 IDs of users, $2 newest, $3 span, $4 sessions per user, $5 assistants, 20 of each user. Sessions of users alternate. */
const MADE = `
  create table made as
  select
    ${TIME} || lpad(to_hex(n), 16, '0') as id,
    ($1::text[])[n % users + 1] as workspace_id,
    ($5::text[])[(n % users) * 20 + 1 + (k * 7) % 20] as assistant_id,
    n,
    k,
    to_timestamp(time / 1000.0) as made_at,
    case when k % 200 = 3 then 'canceled' when k % 25 = 7 then 'failed' when k % 18 = 5 then 'analyzing' else 'completed' end
      as status,
    case when k % 5 = 0 then 'voice' else 'text' end as type,
    'The client asked where the parcel is; the operator found it at the depot and sent it out again. Case ' || n || '.'
      as summary,
    concat('[{"role":"operator","text":"Good morning, how can I help you today?"},{"role":"client","text":"My parcel ', n,
      ' has not arrived', case when k % 100 = 42 then ', it holds a striped zebra' end,
      '."},{"role":"operator","text":"Let me look into that for you, one moment please. I see that it is still waiting."},',
      '{"role":"client","text":"Thank you very much, please send it to number ', k, ' Main Street as soon as you can."}]')
      as conversation
  from (
    select n, users, n / users as k, ($2::bigint - $3::bigint + n * $3::bigint / (users * $4::bigint)) as time
    from (select cardinality($1::text[])::bigint as users) counted, generate_series(0, users * $4::bigint - 1) n
  ) numbered`;

/** The columns that a list shows. */
const LISTED = [
  `create index on made (id)`,
  `insert into sessions (id, workspace_id, assistant_id, type, status, assistant, conversation, metadata, simulated,
     summary_text, raw_response, created_at, queued_at, completed_at, total_cost)
   select 'sess_' || id, workspace_id, assistant_id, type, status,
     json_build_object('id', assistant_id, 'name', 'Support', 'type', type, 'llm_provider', 'openai', 'llm_model', 'gpt-6-luna',
       'system_prompt', 'Summarize the call and say whether the problem was solved, in one paragraph.', 'temperature', 0.7),
     conversation::jsonb, json_build_object('call_id', 'c-' || k, 'channel', 'phone'), false,
     case status when 'completed' then summary end,
     case status when 'completed' then json_build_object('summary_text', summary, 'topics', json_build_array('parcel', 'depot')) end,
     made_at, made_at, case when status <> 'analyzing' then made_at + interval '4 s' end,
     case when k % 100 = 13 then 0.5 else 0.00042 end
   from made order by id`,
  `insert into deliveries (id, workspace_id, session_id, assistant_id, workflow_id, event, payload, status, created_at, ended_at)
   select 'dlv_' || made.id, sessions.workspace_id, sessions.id, sessions.assistant_id, sessions.id, 'session.completed',
     json_build_object('event', 'session.completed', 'session_id', sessions.id, 'summary_text', summary)::text,
     case when k % 500 = 9 then 'pending' when k % 50 = 11 then 'failed' when k % 50 = 12 then 'stopped' else 'delivered' end,
     made_at, made_at
   from made join sessions on sessions.id = 'sess_' || made.id where sessions.status = 'completed' order by made.id`,
  `insert into session_changes (session_id, workspace_id, updated_at)
   select id, workspace_id, completed_at from sessions where completed_at is not null`,
];

const WORDS = `
  insert into session_words (session_id, words)
  select id, array_to_tsvector(array['/' || workspace_id]) || to_tsvector('session_words', concat_ws(' ', summary_text,
    (select string_agg(turn ->> 'text', ' ') from jsonb_array_elements(conversation) turn)))
  from sessions where status in ('completed', 'failed', 'canceled')`;
