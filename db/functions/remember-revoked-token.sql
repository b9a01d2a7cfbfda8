-- A revoked API token is deleted, in many ways. Whoever still sends it is told when it was revoked.
create or replace function remember_revoked_token()
returns trigger
language plpgsql
as $$
begin
  insert into revoked_tokens (token_hash) values (old.token_hash) on conflict do nothing;
  delete from revoked_tokens where revoked_at < now() - interval '90 days';
  return null;
end $$;

create or replace trigger remember_revoked_token after delete on api_keys for each row execute function remember_revoked_token();
