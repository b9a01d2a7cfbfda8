/** What happened to accounts: rows that are only ever added, and go when they are a year old. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- No foreign key: it tells of an account's deletion too, and holds ids and addresses only.
    create table audit_events (
      id text collate "C" primary key,
      -- null: of an address that is nobody's.
      user_id text collate "C",
      action text not null,
      actor_id text collate "C",
      address text,
      object_id text collate "C",
      details json not null default '{}',
      created_at timestamptz(3) not null default now()
    );
    create index on audit_events (user_id, id);
    create index on audit_events (created_at);

    create function keep_audit_event() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and old.created_at < now() - interval '1 year' then
        return old;
      end if;
      raise exception 'audit_events are only ever added' using errcode = 'insufficient_privilege';
    end $$;
    create trigger keep_audit_event before update or delete on audit_events
      for each row execute function keep_audit_event();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table audit_events; drop function keep_audit_event;');
}
