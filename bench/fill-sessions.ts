/** Fills a database with the sessions of many users, by SQL, as they would have been made over a year. */
import type pg from 'pg';
import { TypeID } from 'typeid-js';

export const PER_USER = 1_000;

/** Time at which the last session was made, in milliseconds since 1970. */
export const NEWEST = Date.UTC(2026, 10, 21);

const YEAR_MS = 365 * 24 * 3_600_000;

const idOf = (prefix: string, number: number) =>
  TypeID.fromUUID(prefix, `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`).toString();

/** Returns the id of a user, counted from 0. */
export const idOfUser = (user: number) => idOf('user', user);

export const idOfAssistant = (user: number, index: number) => idOf('asst', user * 100 + index);

interface Filling {
  /** Ids of those whose sessions they are; who is not there yet is made. */
  users: readonly string[];
  perUser?: number;
  newest?: number;
  /** Whether they come without words, calls and fields: as much as their list shows. */
  isListOnly?: boolean;
}

/** Replaces the sessions that are there. */
export async function fillSessions(
  client: pg.Client,
  { users, perUser = PER_USER, newest = NEWEST, isListOnly = false }: Filling,
): Promise<void> {
  // Triggers and foreign keys would take an hour; what they do is done below for all rows at once.
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
  );
  await forgetSessions(client);
  const indexes = await dropIndexes(client);
  await client.query(BASE32);
  await client.query(
    `insert into users (id, email, name, password_hash) select id, id, 'Ada', '' from unnest($1::text[]) id
     on conflict do nothing`,
    [users],
  );
  const assistants = Array.from({ length: users.length * 20 }, (_, index) =>
    idOfAssistant(Math.floor(index / 20), index % 20),
  );
  await client.query('drop table if exists made');
  await client.query(MADE, [users, newest, YEAR_MS, perUser, assistants]);
  for (const statement of isListOnly ? LISTED : [...LISTED, ...BESIDE]) await client.query(statement);
  for (const index of indexes) await client.query(index);
  await client.query('drop table made');
  await client.query(isListOnly ? 'vacuum analyze sessions, deliveries' : 'vacuum analyze');
}

/** Removes all sessions, of whomever, with all that is theirs. */
export async function forgetSessions(client: pg.Client): Promise<void> {
  await client.query('truncate assistants, assistant_fields, sessions, vendor_calls, session_fields cascade');
}

/** Drops the indexes, except those of constraints. Returns the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('sessions', 'session_words', 'session_fields', 'deliveries') and indexname not like '%_pkey'`,
  );
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  return rows.map(({ definition }) => definition);
}

/** The first ten characters of an id are its time, the other sixteen here its number. */
const BASE32 = `
  create or replace function base32(value bigint, length integer) returns text language sql immutable as $$
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((value >> (5 * place)) & 31)::integer + 1, 1), ''
      order by place desc) from generate_series(0, length - 1) place
  $$`;

/** $1 ids of users, $2 newest, $3 span, $4 sessions per user, $5 assistants, 20 of each user. Sessions of users alternate. */
const MADE = `
  create table made as
  select
    base32(time, 10) || lpad(to_hex(n), 16, '0') as id,
    ($1::text[])[n % users + 1] as user_id,
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

/** Fields of every assistant; a tenth of their values is null. */
const FIELDS = `('resolved', 'boolean'), ('score', 'integer'), ('amount', 'number'), ('reason', 'enum'), ('order_id', 'string')`;

/** What a list shows. */
const LISTED = [
  `create index on made (id)`,
  `insert into sessions (id, user_id, assistant_id, type, status, assistant, conversation, metadata, simulated,
     summary_text, raw_response, created_at, queued_at, completed_at, total_cost)
   select 'sess_' || id, user_id, assistant_id, type, status,
     json_build_object('id', assistant_id, 'name', 'Support', 'type', type, 'llm_provider', 'openai', 'llm_model', 'gpt-6-luna',
       'system_prompt', 'Summarise the call and say whether the problem was solved, in one paragraph.', 'temperature', 0.7),
     conversation::json, json_build_object('call_id', 'c-' || k, 'channel', 'phone'), false,
     case status when 'completed' then summary end,
     case status when 'completed' then json_build_object('summary_text', summary, 'topics', json_build_array('parcel', 'depot')) end,
     made_at, made_at, case when status <> 'analyzing' then made_at + interval '4 s' end,
     case when k % 100 = 13 then 0.5 else 0.00042 end
   from made order by id`,
  `insert into deliveries (id, user_id, session_id, assistant_id, workflow_id, event, payload, status, created_at, ended_at)
   select 'dlv_' || made.id, sessions.user_id, sessions.id, sessions.assistant_id, sessions.id, 'session.completed',
     json_build_object('event', 'session.completed', 'session_id', sessions.id, 'summary_text', summary)::text,
     case when k % 500 = 9 then 'pending' when k % 50 = 11 then 'failed' when k % 50 = 12 then 'stopped' else 'delivered' end,
     made_at, made_at
   from made join sessions on sessions.id = 'sess_' || made.id where sessions.status = 'completed' order by made.id`,
];

const BESIDE = [
  `insert into session_words
   select id, array_to_tsvector(array[user_id]) || to_tsvector('simple', concat_ws(' ', summary_text,
     (select string_agg(turn ->> 'text', ' ') from json_array_elements(conversation) turn)))
   from sessions where status in ('completed', 'failed', 'canceled')`,
  `insert into vendor_calls (session_id, step, attempt, user_id, assistant_id, provider, model, status, started_at, ended_at,
     usage, cost_usd)
   select id, 'analysis', 1, user_id, assistant_id, 'openai', 'gpt-6-luna', 'succeeded', created_at, completed_at,
     '{"input_tokens":300,"output_tokens":80}', 0.00042 from sessions order by id`,
  `insert into assistant_fields (user_id, assistant_id, name, type)
   select user_id, assistant_id, name, type
   from (select distinct user_id, assistant_id from made) used, (values ${FIELDS}) field (name, type)`,
  // Of an assistant's sessions, which are every twentieth, `k / 20` goes up by one.
  `insert into session_fields
   select field.id, sessions.id, 0, 1 + k / 500, (made_at at time zone 'UTC')::date,
     case when k / 20 % 10 = 9 then 2 when k / 20 % 7 = 3 then 1 else 0 end,
     case when k / 20 % 10 = 9 then null when name = 'resolved' then k / 20 % 3 / 2 when name = 'score' then 1 + k / 20 % 10
       when name = 'amount' then n * 1.25 end,
     case when k / 20 % 10 = 9 then null when name = 'reason' then case k / 20 % 50 when 42 then 'zebra' else 'parcel' end
       when name = 'order_id' then 'A-' || n end
   from made join sessions on sessions.id = 'sess_' || made.id
   join assistant_fields field on field.user_id = sessions.user_id and field.assistant_id = sessions.assistant_id
   where sessions.status = 'completed' order by field.id, sessions.id`,
];
