/**
 * Creates accounts, assistants, sessions, the ledger of vendor calls, and deliveries. Ids are TypeIDs, compared
 * bytewise.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table users (
      id text collate "C" primary key,
      email text not null,
      name text not null,
      password_hash text not null,
      credentials_version integer not null default 1,
      -- US dollars in a calendar month, UTC; null: no bound.
      monthly_budget_usd numeric,
      created_at timestamptz(3) not null default now()
    );
    create unique index users_email_key on users (lower(email));

    create table api_keys (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      name text not null,
      prefix text not null,
      token_hash bytea not null unique,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3),
      expires_at timestamptz(3)
    );
    create index on api_keys (user_id, id);

    create table assistants (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      name text not null,
      type text not null,
      description text,
      stt_provider text,
      stt_model text,
      stt_language text,
      llm_provider text not null,
      llm_model text not null,
      system_prompt text not null,
      temperature double precision not null,
      webhook_url text,
      webhook_secret text,
      webhook_events text[] not null default '{session.completed}',
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    );
    create index on assistants (user_id, id);

    -- assistant_id has no foreign key: a session outlives its assistant.
    create table sessions (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      assistant_id text collate "C" not null,
      type text not null,
      status text not null default 'queued',
      assistant json not null,
      -- Where the audio is and what was measured of it; null for text, and once it is removed.
      audio json,
      transcript json,
      conversation json,
      metadata json not null,
      -- The session whose transcript this one analyzes anew. No foreign key: it outlives that session.
      source_session_id text collate "C",
      simulated boolean not null,
      summary_text text,
      raw_response json,
      temperature_applied boolean,
      error json,
      created_at timestamptz(3) not null default now(),
      queued_at timestamptz(3) not null default now(),
      -- It was its turn to begin, and its owner had enough sessions in flight.
      held boolean not null default false,
      completed_at timestamptz(3),
      -- Start and end of each run that was retried.
      earlier_runs json not null default '[]'
    );
    -- A list walks it in the order of ids and skips, inside the index, what its filters leave out.
    create index sessions_listed on sessions (user_id, id, status, type, assistant_id, created_at);
    create index sessions_by_rare_status on sessions (user_id, status, id) where status <> 'completed';
    -- Moves a session on if it is its turn: of its owner's, the oldest that are not finished, up to a number. A function,
    -- because each of its statements sees what the ones before it committed, and its owner's begin one after the other.
    create function begin_session(id_given text, status_given text, max_in_flight integer) returns setof sessions
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(user_id, 0)) from sessions where id = id_given;
      -- No longer queue costs more to count: what is beyond the number does not matter.
      return query update sessions session set status = status_given, held = false
        where id = id_given and (
          status in ('transcribing', 'analyzing') or status = 'queued' and max_in_flight > (select count(*) from (
            (select from sessions other where other.user_id = session.user_id
               and other.status in ('transcribing', 'analyzing') limit max_in_flight)
            union all
            (select from sessions other where other.user_id = session.user_id and other.status = 'queued'
               and other.id < session.id limit max_in_flight)
          ) as others))
        returning session.*;
    end $$;
    create index sessions_held on sessions (user_id, id) where held and status = 'queued';
    create index sessions_unfinished on sessions (queued_at)
      where status in ('queued', 'transcribing', 'analyzing');
    create index sessions_with_audio on sessions (completed_at) where audio is not null;

    -- What was said and summarised in sessions that have ended. The owner's id is one of the words: then a search costs
    -- what the owner's sessions cost, and not what everybody's do.
    create table session_words (
      session_id text collate "C" primary key references sessions on delete cascade,
      words tsvector not null
    );
    create index on session_words using gin (words) with (gin_pending_list_limit = 1024);

    -- A tsvector holds 1 MB, and the parser takes its time over what is no language: of a long conversation the beginning
    -- is found, some two hours of speech.
    create function store_session_words() returns trigger language plpgsql as $$
    declare
      said text;
      characters integer := 100000;
    begin
      if json_typeof(new.conversation) = 'array' then
        select string_agg(turn ->> 'text', ' ') into said from json_array_elements(new.conversation) turn;
      end if;
      said := concat_ws(' ', new.summary_text, said);
      loop
        begin
          insert into session_words
          values (new.id, array_to_tsvector(array[new.user_id]) || to_tsvector('simple', left(said, characters)))
          on conflict (session_id) do update set words = excluded.words;
          return null;
        exception when program_limit_exceeded then
          characters := characters / 2;
        end;
      end loop;
    end $$;
    create trigger store_session_words after insert or update of status, summary_text, conversation on sessions
      for each row when (new.status in ('completed', 'failed', 'canceled')) execute function store_session_words();

    -- The ledger. It has no foreign key either: what was spent stays on record.
    create table vendor_calls (
      session_id text collate "C" not null,
      step text not null,
      attempt integer not null,
      user_id text collate "C" not null,
      assistant_id text collate "C" not null,
      provider text not null,
      model text,
      status text not null default 'running',
      started_at timestamptz(3) not null default now(),
      ended_at timestamptz(3),
      usage json,
      cost_usd numeric,
      error json,
      vendor_request_id text,
      -- A job that the vendor works on by itself: known here, it is never submitted again.
      vendor_job_id text,
      vendor_response json,
      primary key (session_id, step, attempt)
    );
    create index on vendor_calls (user_id, started_at);

    -- A call may be answered after its session was deleted: then what it cost is kept, and not what it said.
    create function drop_orphaned_response() returns trigger language plpgsql as $$
    begin
      perform from sessions where id = new.session_id for key share;
      if not found then
        new.vendor_response := null;
      end if;
      return new;
    end $$;
    create trigger drop_orphaned_response before update of vendor_response on vendor_calls
      for each row when (new.vendor_response is not null) execute function drop_orphaned_response();

    create table deliveries (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      -- null: a test, which has no session.
      session_id text collate "C" references sessions on delete cascade,
      assistant_id text collate "C" not null,
      -- The session's id where its workflow delivers, else the delivery's own.
      workflow_id text collate "C" not null,
      event text not null,
      payload text not null,
      replayed_from text collate "C",
      redelivery_id text collate "C",
      status text not null default 'pending',
      stop_reason text,
      next_attempt_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      ended_at timestamptz(3)
    );
    create index on deliveries (session_id, id);
    create index on deliveries (user_id, status, session_id);
    create index on deliveries (user_id, id);
    create index deliveries_pending on deliveries (id) where status = 'pending';
    create index deliveries_replays on deliveries (replayed_from) where replayed_from is not null;
    create unique index deliveries_once_per_redelivery on deliveries (redelivery_id, replayed_from)
      where redelivery_id is not null;

    -- Redeliveries of many at once.
    create table redeliveries (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      filter json not null,
      status text not null default 'running',
      -- Deliveries that matched when it was asked for.
      total integer not null,
      -- Id of the last delivery that was looked at.
      last_id text collate "C" not null default '',
      created_at timestamptz(3) not null default now(),
      ended_at timestamptz(3)
    );
    create index on redeliveries (user_id, id);

    create table delivery_attempts (
      delivery_id text collate "C" not null references deliveries on delete cascade,
      attempt integer not null,
      started_at timestamptz(3) not null default now(),
      duration_ms integer,
      outcome text,
      failure text,
      status_code integer,
      url text not null,
      request_headers json not null,
      response_headers json,
      response_body text,
      response_truncated boolean not null default false,
      next_attempt_at timestamptz(3),
      primary key (delivery_id, attempt)
    );

    -- No foreign key: the key is taken before its session is stored.
    create table idempotency_keys (
      user_id text collate "C" not null references users on delete cascade,
      key text not null,
      payload_hash bytea not null,
      session_id text collate "C" not null,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, key)
    );
    create index on idempotency_keys (session_id);
    create index on idempotency_keys (created_at);

    -- The form that the library rate-limiter-flexible asks for.
    create table rate_limits (
      key text primary key,
      points integer not null default 0,
      expire bigint
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop function begin_session;
    drop table rate_limits, idempotency_keys, delivery_attempts, redeliveries, deliveries, vendor_calls, session_words, sessions, assistants,
      api_keys, users;
    drop function store_session_words, drop_orphaned_response;
  `);
}
