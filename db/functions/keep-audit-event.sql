create or replace function keep_audit_event()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '1 year' then
    return old;
  end if;
  raise exception 'audit_events are only ever added' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger keep_audit_event before delete or update on audit_events for each row execute function keep_audit_event();
