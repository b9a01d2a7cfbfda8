/** How much each user has stored, and rate limits that are not worth a log. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- What quotas bound. A sum over the user's sessions would cost more the more there are.
    create table user_storage (
      user_id text collate "C" primary key references users on delete cascade,
      audio_bytes bigint not null
    );

    create function count_stored_audio() returns trigger language plpgsql as $$
    declare
      owner text := coalesce(new.user_id, old.user_id);
      added bigint := coalesce((new.audio ->> 'bytes')::bigint, 0) - coalesce((old.audio ->> 'bytes')::bigint, 0);
    begin
      update user_storage set audio_bytes = audio_bytes + added where user_id = owner;
      -- Of a user that is being deleted nothing is left to count.
      if not found and added > 0 then
        insert into user_storage values (owner, added)
        on conflict (user_id) do update set audio_bytes = user_storage.audio_bytes + excluded.audio_bytes;
      end if;
      return null;
    end $$;
    create trigger count_added_audio after insert on sessions
      for each row when (new.audio is not null) execute function count_stored_audio();
    create trigger count_changed_audio after update of audio on sessions
      for each row execute function count_stored_audio();
    create trigger count_deleted_audio after delete on sessions
      for each row when (old.audio is not null) execute function count_stored_audio();
    -- The triggers keep writers of sessions out until this commits, so that none is missed and none counts twice.
    insert into user_storage
      select user_id, sum((audio ->> 'bytes')::bigint) from sessions where audio is not null group by user_id;

    -- They may be lost with a crash of the server, and were a write to its log for each request.
    alter table rate_limits set unlogged;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table rate_limits set logged;
    drop trigger count_added_audio on sessions;
    drop trigger count_changed_audio on sessions;
    drop trigger count_deleted_audio on sessions;
    drop function count_stored_audio;
    drop table user_storage;
  `);
}
