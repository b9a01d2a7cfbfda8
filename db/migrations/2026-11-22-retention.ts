/** Sessions that go some days after their end, and accounts that are deleted. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Since when the account is gone for everybody; what is left of it is removed bit by bit.
    alter table users add deleted_at timestamptz(3);
    create index users_deleted on users (deleted_at) where deleted_at is not null;

    -- Days that the assistant's sessions stay after their end; null: as long as the installation's stay.
    alter table assistants add retention_days integer;
    create index assistants_with_retention on assistants (id) where retention_days is not null;
    create index sessions_ended on sessions (completed_at, id) where completed_at is not null;
    create index sessions_ended_by_assistant on sessions (assistant_id, completed_at, id) where completed_at is not null;

    -- Sessions outlive their assistant, and so does how long they stay.
    create table deleted_assistants (
      user_id text collate "C" not null,
      id text collate "C" not null,
      retention_days integer not null,
      primary key (user_id, id)
    );
    create function keep_retention() returns trigger language plpgsql as $$
    begin
      insert into deleted_assistants (user_id, id, retention_days) values (old.user_id, old.id, old.retention_days);
      return null;
    end $$;
    create trigger keep_retention after delete on assistants
      for each row when (old.retention_days is not null) execute function keep_retention();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger keep_retention on assistants;
    drop function keep_retention;
    drop table deleted_assistants;
    drop index sessions_ended, sessions_ended_by_assistant;
    alter table assistants drop retention_days;
    alter table users drop deleted_at;
  `);
}
