/** One condition for who may have a slot, and a time after which a row is worth a look by the sweep. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop function begin_session;
    drop index sessions_held, sessions_unfinished;
    alter table sessions rename column held to waiting_for_slot;
    alter table sessions
      -- When it was last told that a slot may be free; null: not since it asked.
      add column woken_at timestamptz(3),
      -- By then its workflow has moved it on or asked for a slot; else the sweep looks whether there is one.
      add column check_after timestamptz(3) not null default now() + interval '1 minute';
    create index sessions_waiting_for_slot on sessions (user_id, id) where waiting_for_slot and status = 'queued';
    create index sessions_unfinished on sessions (check_after)
      where status in ('queued', 'transcribing', 'analyzing');

    -- The queued sessions of one user that may begin: the oldest ones, as many as there are free slots. The user is
    -- given as two bounds: where a few users have most of the sessions, PostgreSQL would expect to meet theirs soon and
    -- read the table from its start; for a range it takes the user's index.
    create function startable_sessions(owner text, max_in_flight integer) returns setof text
    language sql stable as $$
      select id from sessions where user_id >= owner and user_id <= owner and status = 'queued'
      order by user_id, status, id
      limit greatest(0, max_in_flight - (select count(*) from (
        select from sessions where user_id >= owner and user_id <= owner and status in ('transcribing', 'analyzing')
        limit max_in_flight) as in_flight))
    $$;

    -- Moves a session on if it may begin, or has begun; else it waits. A function, because each of its statements sees
    -- what the ones before it committed, and the sessions of one user ask one after the other.
    create function claim_slot(id_given text, status_given text, max_in_flight integer) returns setof sessions
    language plpgsql as $$
    declare
      owner text;
    begin
      select user_id into owner from sessions where id = id_given;
      perform pg_advisory_xact_lock(hashtextextended(owner, 0));
      return query update sessions session
        set status = status_given, waiting_for_slot = false, check_after = now() + interval '5 minutes'
        where id = id_given and (status in ('transcribing', 'analyzing')
          or status = 'queued' and id in (select startable_sessions(owner, max_in_flight)))
        returning session.*;
      if not found then
        -- Its workflow asks again by itself, after 10 minutes at most.
        update sessions set waiting_for_slot = true, woken_at = null, check_after = now() + interval '20 minutes'
        where id = id_given and status = 'queued';
      end if;
    end $$;

    drop index deliveries_pending;
    alter table deliveries
      -- The sweep has looked at it, and looks again after this time at the earliest.
      add column check_after timestamptz(3);
    create index deliveries_pending on deliveries (greatest(next_attempt_at, check_after)) where status = 'pending';
    create index deliveries_pending_of_redelivery on deliveries (redelivery_id)
      where status = 'pending' and redelivery_id is not null;
    -- Deliveries that it has made.
    alter table redeliveries add column started integer not null default 0;
    update redeliveries set started = (select count(*) from deliveries where redelivery_id = redeliveries.id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table redeliveries drop column started;
    drop index deliveries_pending_of_redelivery, deliveries_pending;
    alter table deliveries drop column check_after;
    create index deliveries_pending on deliveries (id) where status = 'pending';
    drop function claim_slot, startable_sessions;
    drop index sessions_waiting_for_slot, sessions_unfinished;
    alter table sessions drop column check_after, drop column woken_at;
    alter table sessions rename column waiting_for_slot to held;
    create index sessions_held on sessions (user_id, id) where held and status = 'queued';
    create index sessions_unfinished on sessions (queued_at) where status in ('queued', 'transcribing', 'analyzing');
    create function begin_session(id_given text, status_given text, max_in_flight integer) returns setof sessions
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(user_id, 0)) from sessions where id = id_given;
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
  `);
}
