/** The twin's tables and statements. Each statement is prepared, and commits one state of a session. */
import pg from 'pg';

export const FINISHED_CHANNEL = 'twin_finished';

const TABLES = `
  create table twin_tokens (hash bytea primary key, workspace text not null);
  create table twin_sessions (id text primary key, workspace text not null, status text not null default 'queued',
    prompt text not null, audio jsonb, conversation jsonb, transcript jsonb, result jsonb, webhook_url text,
    created_at timestamptz not null default now(), completed_at timestamptz) with (fillfactor = 70);
  create table twin_calls (session_id text not null, step text not null, status text not null, response jsonb,
    started_at timestamptz not null default now(), ended_at timestamptz, primary key (session_id, step));
  create table twin_deliveries (id text primary key, url text not null, payload text not null, status text not null);
  create table twin_attempts (delivery_id text not null, attempt integer not null, status_code integer,
    started_at timestamptz not null default now(), ended_at timestamptz, primary key (delivery_id, attempt))`;

const CLOSE_CALL = `closed as (update twin_calls set status = 'succeeded', response = $2, ended_at = now()
  where session_id = $1 and step = $3)`;

const STATEMENTS = {
  authenticate: 'select workspace from twin_tokens where hash = $1',
  insert: `insert into twin_sessions (id, workspace, prompt, conversation, audio, webhook_url)
    values ($1, $2, $3, $4, $5, $6)`,
  begin: `update twin_sessions set status = $2 where id = $1 and completed_at is null
    returning prompt, conversation, transcript, audio`,
  openCall: `insert into twin_calls (session_id, step, status) values ($1, $2, 'running')
    on conflict (session_id, step) do update set status = 'running', started_at = now()`,
  storeTranscript: `with ${CLOSE_CALL} update twin_sessions set transcript = $2 where id = $1`,
  finish: `with ${CLOSE_CALL}, ended as (
      update twin_sessions set status = 'completed', result = $2, completed_at = now()
      where id = $1 and completed_at is null returning id, webhook_url, result),
    delivery as (insert into twin_deliveries (id, url, payload, status)
      select 'dlv_' || id, webhook_url, cast(result as text), 'pending' from ended where webhook_url is not null
      returning id)
    select (select id from delivery) as delivery, pg_notify('${FINISHED_CHANNEL}', id) from ended`,
  openAttempt: `with opened as (insert into twin_attempts (delivery_id, attempt) values ($1, 1) on conflict do nothing)
    select url, payload from twin_deliveries where id = $1`,
  closeAttempt: `with closed as (update twin_attempts set status_code = $2, ended_at = now() where delivery_id = $1 and attempt = 1)
    update twin_deliveries set status = 'delivered' where id = $1`,
  read: 'select * from twin_sessions where id = $1',
};

export type TwinStore = Awaited<ReturnType<typeof openStore>>;

/** Creates the tables. */
export async function openStore(url: string, poolMax = 20) {
  const pool = new pg.Pool({ connectionString: url, max: poolMax });
  await pool.query(TABLES);
  return {
    pool,
    /** Runs a prepared statement, and returns its first row. */
    async run(name: keyof typeof STATEMENTS, ...values: unknown[]): Promise<Record<string, string>> {
      const { rows } = await pool.query<Record<string, string>>({ name, text: STATEMENTS[name], values });
      return rows[0] ?? {};
    },
  };
}
