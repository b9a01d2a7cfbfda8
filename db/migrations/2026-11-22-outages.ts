/** Adds outages of vendors, and sessions that wait until one is over. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A vendor that is away. While there is a row, sessions that may wait do not call it, but for one at a time.
    create table vendor_outages (
      provider text primary key,
      reason text not null,
      since timestamptz(3) not null default now(),
      next_probe_at timestamptz(3) not null,
      -- Probes that failed.
      probes integer not null default 0,
      -- The session whose call is the probe, and until when it has the sole right to one.
      probe_session text collate "C",
      probe_until timestamptz(3)
    );

    alter table assistants add on_vendor_outage text not null default 'fail';
    alter table sessions
      -- As its assistant says when it is submitted; null: it fails.
      add on_vendor_outage text,
      -- The vendor that the session waits for; null: it waits for none.
      add waiting_for_provider text,
      -- Since when it waited first, and for which fault.
      add waiting_since timestamptz(3),
      add waiting_reason text,
      -- When it last went on after such a wait.
      add resumed_at timestamptz(3);
    create index sessions_waiting_for_vendor on sessions (waiting_for_provider, id)
      where waiting_for_provider is not null;

    -- As before, less the sessions that wait for a vendor: they hold up nobody.
    create or replace function startable_sessions(owner text, max_in_flight integer) returns setof text
    language sql stable as $$
      select id from sessions where user_id >= owner and user_id <= owner and status = 'queued'
        and waiting_for_provider is null
      order by user_id, status, id
      limit greatest(0, max_in_flight - (select count(*) from (
        select from sessions where user_id >= owner and user_id <= owner and status in ('transcribing', 'analyzing')
        limit max_in_flight) as in_flight))
    $$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function startable_sessions(owner text, max_in_flight integer) returns setof text
    language sql stable as $$
      select id from sessions where user_id >= owner and user_id <= owner and status = 'queued'
      order by user_id, status, id
      limit greatest(0, max_in_flight - (select count(*) from (
        select from sessions where user_id >= owner and user_id <= owner and status in ('transcribing', 'analyzing')
        limit max_in_flight) as in_flight))
    $$;
    drop index sessions_waiting_for_vendor;
    alter table sessions drop on_vendor_outage, drop waiting_for_provider, drop waiting_since, drop waiting_reason,
      drop resumed_at;
    alter table assistants drop on_vendor_outage;
    drop table vendor_outages;
  `);
}
