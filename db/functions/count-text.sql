create or replace function count_text()
returns trigger
language plpgsql
as $$
declare
  -- `old` is null for an insert, `new` for a deletion.
  added bigint := coalesce(new.text_bytes, 0) - coalesce(old.text_bytes, 0);
begin
  if added = 0 then
    return null;
  end if;
  update stored_texts set bytes = bytes + added where workspace_id = coalesce(new.workspace_id, old.workspace_id);
  -- The sessions of a workspace that is being deleted find no row.
  if not found and tg_op <> 'DELETE' then
    insert into stored_texts as total (workspace_id, bytes) values (new.workspace_id, added)
      on conflict (workspace_id) do update set bytes = total.bytes + excluded.bytes;
  end if;
  return null;
end $$;

drop trigger if exists count_text on sessions;
create constraint trigger count_text after insert or delete on sessions deferrable initially deferred for each row execute function count_text();
drop trigger if exists count_changed_text on sessions;
create constraint trigger count_changed_text after update of conversation on sessions deferrable initially deferred
  for each row when (old.text_bytes is distinct from new.text_bytes) execute function count_text();

drop trigger if exists count_text on session_reviews;
create constraint trigger count_text after insert or delete on session_reviews deferrable initially deferred for each row execute function count_text();
drop trigger if exists count_changed_text on session_reviews;
create constraint trigger count_changed_text after update on session_reviews deferrable initially deferred
  for each row when (old.text_bytes is distinct from new.text_bytes) execute function count_text();

drop trigger if exists count_text on second_opinions;
create constraint trigger count_text after insert or delete on second_opinions deferrable initially deferred for each row execute function count_text();
