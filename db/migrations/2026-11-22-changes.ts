/**
 * Adds the notifications behind `GET /v1/events`. They hold the owner's id and the changed row's id, and nothing that
 * was said.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- PostgreSQL sends equal notifications of one transaction once, and when it commits.
    create function announce_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        perform pg_notify('changed', old.user_id || ' ' || old.id);
      else
        perform pg_notify('changed', new.user_id || ' ' || new.id);
      end if;
      return null;
    end $$;

    create function announce_delivery() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changed', new.user_id || ' ' || new.id);
      if new.redelivery_id is not null then
        perform pg_notify('changed', new.user_id || ' ' || new.redelivery_id);
      end if;
      return null;
    end $$;

    create function announce_attempt() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changed', user_id || ' ' || id) from deliveries where id = new.delivery_id;
      return null;
    end $$;

    create function announce_user() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changed', new.id || ' ' || new.id);
      return null;
    end $$;

    create trigger announce_change after insert or delete on sessions
      for each row execute function announce_change();
    create trigger announce_status after update of status on sessions
      for each row when (old.status is distinct from new.status) execute function announce_change();

    create trigger announce_change after insert on deliveries
      for each row execute function announce_delivery();
    create trigger announce_status after update of status, next_attempt_at on deliveries
      for each row when (old.status is distinct from new.status or old.next_attempt_at is distinct from new.next_attempt_at)
      execute function announce_delivery();
    create trigger announce_change after insert on delivery_attempts
      for each row execute function announce_attempt();

    create trigger announce_change after insert on redeliveries
      for each row execute function announce_change();
    create trigger announce_status after update of status on redeliveries
      for each row when (old.status is distinct from new.status) execute function announce_change();

    -- What ends the streams of who may listen no more.
    create trigger announce_end after update of ended_at on logins
      for each row when (new.ended_at is not null) execute function announce_change();
    create trigger announce_end after delete on api_keys
      for each row execute function announce_change();
    create trigger announce_credentials after update of credentials_version on users
      for each row execute function announce_user();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop function announce_change, announce_delivery, announce_attempt, announce_user cascade');
}
