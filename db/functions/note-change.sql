-- Notes when an ended session changed: its end, its retry, its metadata, its speakers' roles, its reviews, its delivery's status.
-- The argument names the column with the session's ID. Reads single columns, as announce.sql does.
create or replace function note_change()
returns trigger
language plpgsql
as $$
declare
  changed text;
begin
  if tg_op = 'DELETE' then
    new := old;
  end if;
  case tg_argv[0]
    when 'id' then
      changed := new.id;
    when 'session_id' then
      changed := new.session_id;
  end case;
  -- Never earlier than before: a transaction that began first may end last.
  update session_changes set updated_at = greatest(updated_at, now()) where session_id = changed;
  if not found then
    insert into session_changes as change (session_id, workspace_id, updated_at)
      select id, workspace_id, now() from sessions where id = changed and completed_at is not null
      on conflict (session_id) do update set updated_at = greatest(change.updated_at, excluded.updated_at);
  end if;
  return null;
end $$;

create or replace function note_deletion()
returns trigger
language plpgsql
as $$
begin
  update session_changes set deleted = true, updated_at = greatest(updated_at, now()) where session_id = old.id;
  return null;
end $$;

create or replace trigger note_insert after insert on sessions
  for each row when (new.completed_at is not null) execute function note_change('id');
create or replace trigger note_change after update of completed_at, person_roles, metadata on sessions
  for each row when ((old.completed_at, old.person_roles, old.metadata) is distinct from (new.completed_at, new.person_roles, new.metadata))
  execute function note_change('id');
create or replace trigger note_deletion after delete on sessions for each row execute function note_deletion();
create or replace trigger note_change after insert or update or delete on session_reviews
  for each row execute function note_change('session_id');
create or replace trigger note_change after insert or update or delete on second_opinions
  for each row execute function note_change('session_id');
create or replace trigger note_insert after insert on deliveries
  for each row when (new.session_id is not null and new.alert is null) execute function note_change('session_id');
create or replace trigger note_change after update of status on deliveries
  for each row when (new.session_id is not null and new.alert is null and old.status is distinct from new.status)
  execute function note_change('session_id');
