create or replace function count_recording()
returns trigger
language plpgsql
as $$
declare
  -- `old` is null for an insert, `new` for a deletion.
  added bigint := coalesce(new.audio_bytes, 0) - coalesce(old.audio_bytes, 0);
begin
  update stored_recordings set bytes = bytes + added where workspace_id = coalesce(new.workspace_id, old.workspace_id);
  -- The sessions of a workspace that is being deleted find no row.
  if not found and tg_op <> 'DELETE' then
    insert into stored_recordings as total (workspace_id, bytes) values (new.workspace_id, added)
      on conflict (workspace_id) do update set bytes = total.bytes + excluded.bytes;
  end if;
  return null;
end $$;

drop trigger if exists count_new_recording on sessions;
create constraint trigger count_new_recording after insert on sessions deferrable initially deferred
  for each row when (new.audio_bytes is not null) execute function count_recording();
drop trigger if exists count_deleted_recording on sessions;
create constraint trigger count_deleted_recording after delete on sessions deferrable initially deferred
  for each row when (old.audio_bytes is not null) execute function count_recording();
drop trigger if exists count_changed_recording on sessions;
create constraint trigger count_changed_recording after update of audio on sessions deferrable initially deferred
  for each row when (old.audio_bytes is distinct from new.audio_bytes) execute function count_recording();

-- Locks the workspace until the transaction ends, then returns the bytes of the recordings of the workspaces `ids`. Being volatile,
-- it also reads what was stored while it waited, so parallel uploads cannot exceed the limit.
create or replace function lock_recordings(workspace text, ids text[])
returns numeric
language plpgsql
volatile
as $$
begin
  perform from workspaces where id = workspace for no key update;
  return (select coalesce(sum(bytes), 0) from stored_recordings where workspace_id = any (ids));
end $$;
