/** Adds what sessions are found by their metadata and their cost with: docs/decisions.md, "Filters". */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A digest for each pair, and with the owner in it: what others label their sessions with is never looked at.
    create function metadata_labels(user_id text, metadata json) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(md5(user_id || ' ' || length(key) || ' ' || key || value)), '{}') from json_each_text(metadata)
    $$;
    create index sessions_by_metadata on sessions using gin (metadata_labels(user_id, metadata));

    alter table sessions add total_cost double precision not null default 0;

    create function cost_of_session(id text) returns double precision language sql stable as $$
      select coalesce(sum(cost_usd), 0) from vendor_calls where session_id = id
    $$;

    -- With each step and at the end, in the row that is written anyway.
    create function add_up_cost() returns trigger language plpgsql as $$
    begin
      new.total_cost := cost_of_session(new.id);
      return new;
    end $$;
    create trigger add_up_cost before update of status on sessions
      for each row when (old.status is distinct from new.status) execute function add_up_cost();

    -- A call may be answered after its session has ended.
    create function add_late_cost() returns trigger language plpgsql as $$
    begin
      update sessions set total_cost = cost_of_session(id) where id = new.session_id and completed_at is not null;
      return null;
    end $$;
    create trigger add_late_cost after insert or update of cost_usd on vendor_calls
      for each row when (new.cost_usd > 0) execute function add_late_cost();

    update sessions set total_cost = costs.usd from (
      select session_id, sum(cost_usd) as usd from vendor_calls group by session_id
    ) costs where costs.session_id = sessions.id and costs.usd > 0;
    create index sessions_by_cost on sessions (user_id, total_cost);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index sessions_by_metadata, sessions_by_cost;
    drop trigger add_late_cost on vendor_calls;
    drop trigger add_up_cost on sessions;
    drop function add_late_cost, add_up_cost, cost_of_session, metadata_labels;
    alter table sessions drop total_cost;
  `);
}
