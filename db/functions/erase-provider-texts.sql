-- Erases what providers said about a deleted session, whichever release deletes it. The ledger keeps its costs.
create or replace function erase_provider_texts()
returns trigger
language plpgsql
as $$
begin
  update provider_calls set provider_response = null, provider_message = null
    where session_id = old.id and (provider_response is not null or provider_message is not null);
  return null;
end $$;

create or replace trigger erase_provider_texts after delete on sessions
  for each row execute function erase_provider_texts();
