/** Adds batches: one action over all sessions of a filter. Their sessions never hold up their owner's own requests. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table batches (
      id text collate "C" primary key,
      user_id text collate "C" not null references users on delete cascade,
      action text not null,
      -- As it was asked for, and as it was read then.
      filter json not null,
      conditions json not null,
      -- Of a reanalysis: the settings of the new sessions, the assistant's version that they are (null: they are none),
      -- and whether stand-ins answer.
      settings json,
      assistant_version integer,
      simulated boolean not null default false,
      -- Whether webhooks are sent.
      notify boolean not null,
      status text not null default 'running',
      -- Why nothing more is begun at present; null: it is not held.
      held_by text,
      -- Sessions that matched when it was asked for, and what became of those that were begun.
      total integer not null,
      begun integer not null default 0,
      completed integer not null default 0,
      failed integer not null default 0,
      canceled integer not null default 0,
      cost_usd numeric not null default 0,
      -- Id of the last session that was looked at.
      last_id text collate "C" not null default '',
      created_at timestamptz(3) not null default now(),
      ended_at timestamptz(3)
    );
    create index on batches (user_id, id);
    create index batches_running on batches (created_at) where ended_at is null;

    -- Sessions that a batch has begun. No foreign key: what was deleted stays counted.
    create table batch_items (
      batch_id text collate "C" not null references batches on delete cascade,
      -- The session of the filter, and the one that the batch made of it: itself, but for a reanalysis.
      source_session_id text collate "C" not null,
      session_id text collate "C" not null,
      -- How it ended; null: not yet.
      outcome text,
      primary key (batch_id, source_session_id)
    );
    create index batch_items_open on batch_items (batch_id) where outcome is null;

    alter table sessions
      -- The batch that made it, or ran it last; null: a request of its own.
      add batch_id text collate "C";
    create index sessions_of_batch on sessions (batch_id, id) where batch_id is not null;
    create index sessions_unfinished_of_batches on sessions (user_id, id)
      where batch_id is not null and status in ('queued', 'transcribing', 'analyzing');

    -- As before, but sessions of batches come after all others: they take what these leave.
    create or replace function startable_sessions(owner text, max_in_flight integer) returns setof text
    language sql stable as $$
      with free as (
        select greatest(0, max_in_flight - (select count(*) from (
          select from sessions where user_id >= owner and user_id <= owner and status in ('transcribing', 'analyzing')
          limit max_in_flight) as in_flight)) as slots),
      own as materialized (
        select id from sessions where user_id >= owner and user_id <= owner and status = 'queued'
          and waiting_for_provider is null and batch_id is null
        order by user_id, status, id
        limit (select slots from free)),
      of_batches as (
        select id from sessions where user_id >= owner and user_id <= owner
          and batch_id is not null and status in ('queued', 'transcribing', 'analyzing')
          and status = 'queued' and waiting_for_provider is null
        order by user_id, id
        limit (select slots from free) - (select count(*) from own))
      select id from own union all select id from of_batches
    $$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function startable_sessions(owner text, max_in_flight integer) returns setof text
    language sql stable as $$
      select id from sessions where user_id >= owner and user_id <= owner and status = 'queued'
        and waiting_for_provider is null
      order by user_id, status, id
      limit greatest(0, max_in_flight - (select count(*) from (
        select from sessions where user_id >= owner and user_id <= owner and status in ('transcribing', 'analyzing')
        limit max_in_flight) as in_flight))
    $$;
    drop index sessions_unfinished_of_batches, sessions_of_batch;
    alter table sessions drop batch_id;
    drop table batch_items, batches;
  `);
}
