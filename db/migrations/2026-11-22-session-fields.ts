/**
 * Stores what sessions answered to the fields of their assistants as typed rows, for finding and counting. Triggers write
 * them with the result and remove them with the session, whichever release stores and deletes it.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The fields that sessions were asked; they outlive their assistant, as its sessions do. Another type under the same
    -- name is another field: numbers and texts never mix.
    create table assistant_fields (
      id integer generated always as identity primary key,
      user_id text collate "C" not null references users on delete cascade,
      assistant_id text collate "C" not null,
      name text collate "C" not null,
      type text not null,
      unique (user_id, assistant_id, name, type)
    );

    -- A row for each value; one without a value where the conversation does not say it. No foreign key: an index by
    -- session would cost as much as a fourth of the rows.
    create table session_fields (
      field_id integer not null,
      session_id text collate "C" not null,
      -- The place in a list, from 0.
      item smallint not null,
      -- As in sessions.assistant_version.
      version integer,
      -- UTC, of the session's created_at.
      day date not null,
      -- 0: verified, 1: not verified, 2: nothing to verify.
      state smallint not null,
      -- Numbers; a boolean is 0 or 1.
      value_num numeric,
      -- The first 200 characters.
      value_text text collate "C",
      primary key (field_id, session_id, item) include (value_num, value_text, day, version, state)
    );
    create index session_fields_by_number on session_fields (field_id, value_num, session_id)
      where value_num is not null;
    create index session_fields_by_text on session_fields (field_id, value_text, session_id)
      where value_text is not null;

    create function insert_session_fields(session sessions) returns void language plpgsql as $$
    declare
      answers jsonb := session.raw_response -> 'fields';
      evidence jsonb := session.raw_response -> 'evidence';
    begin
      -- In one order, so that two sessions never wait for each other.
      insert into assistant_fields (user_id, assistant_id, name, type)
        select session.user_id, session.assistant_id, asked ->> 'name', asked ->> 'type'
        from json_array_elements(session.assistant -> 'fields') asked
        where not exists (
          select from assistant_fields known
          where known.user_id = session.user_id and known.assistant_id = session.assistant_id
            and known.name = asked ->> 'name' and known.type = asked ->> 'type'
        )
        order by asked ->> 'name'
        on conflict do nothing;

      insert into session_fields
        select field.id, session.id, coalesce(answer.item, 0), session.assistant_version,
          (session.created_at at time zone 'UTC')::date,
          case evidence -> field.name ->> 'verified' when 'true' then 0 when 'false' then 1 else 2 end,
          case jsonb_typeof(answer.value)
            when 'number' then (answer.value #>> '{}')::numeric
            when 'boolean' then (answer.value #>> '{}')::boolean::integer
          end,
          case jsonb_typeof(answer.value) when 'string' then left(answer.value #>> '{}', 200) end
        from json_array_elements(session.assistant -> 'fields') asked
        join assistant_fields field
          on field.user_id = session.user_id and field.assistant_id = session.assistant_id
            and field.name = asked ->> 'name' and field.type = asked ->> 'type'
        -- What a list has twice counts once.
        left join lateral (
          select value, min(place) - 1 as item
          from jsonb_array_elements(
            case jsonb_typeof(answers -> field.name)
              when 'array' then answers -> field.name
              else jsonb_build_array(answers -> field.name)
            end
          ) with ordinality as listed (value, place)
          group by value
        ) answer on true
        on conflict do nothing;
    end $$;

    create function store_session_fields() returns trigger language plpgsql as $$
    begin
      perform insert_session_fields(new);
      return null;
    end $$;
    create trigger store_session_fields after update of status on sessions
      for each row when (new.status = 'completed' and old.status <> 'completed' and new.field_encoding is not null)
      execute function store_session_fields();

    create function erase_session_fields() returns trigger language plpgsql as $$
    begin
      delete from session_fields where session_id = old.id and field_id = any (array(
        select id from assistant_fields where user_id = old.user_id and assistant_id = old.assistant_id
      ));
      return null;
    end $$;
    create trigger erase_session_fields after delete on sessions
      for each row when (old.field_encoding is not null) execute function erase_session_fields();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger erase_session_fields on sessions;
    drop trigger store_session_fields on sessions;
    drop function erase_session_fields, store_session_fields, insert_session_fields;
    drop table session_fields, assistant_fields;
  `);
}
