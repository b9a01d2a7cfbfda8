-- Notifies api/events of changes. The argument names the column whose ID is sent.
-- Reads single columns: to_jsonb(new), or new as a parameter, would read a whole conversation.
create or replace function announce()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    new := old;
  end if;
  case tg_argv[0]
    when 'id' then
      perform pg_notify('changed', new.workspace_id || ' ' || new.id);
    when 'session_id' then
      perform pg_notify('changed', new.workspace_id || ' ' || new.session_id);
    when 'delivery_id' then
      perform pg_notify('changed', workspace_id || ' ' || id) from deliveries where id = new.delivery_id;
    when 'user_id' then
      perform pg_notify('changed', new.user_id || ' ' || new.user_id);
    when 'users.id' then
      perform pg_notify('changed', new.id || ' ' || new.id);
  end case;
  return null;
end $$;

create or replace trigger announce_row after insert or delete on sessions
  for each row execute function announce('id');
create or replace trigger announce_status after update of status, waiting, audio_source, metadata on sessions
  for each row when ((old.status, old.waiting, old.audio_source, old.metadata)
    is distinct from (new.status, new.waiting, new.audio_source, new.metadata))
  execute function announce('id');

create or replace trigger announce_row after insert or update or delete on session_reviews
  for each row execute function announce('session_id');

create or replace trigger announce_row after insert on deliveries
  for each row execute function announce('id');
create or replace trigger announce_status after update of status, next_attempt_at on deliveries
  for each row when ((old.status, old.next_attempt_at) is distinct from (new.status, new.next_attempt_at))
  execute function announce('id');
create or replace trigger announce_row after insert on delivery_attempts
  for each row execute function announce('delivery_id');

create or replace trigger announce_row after insert on batches
  for each row execute function announce('id');
create or replace trigger announce_progress after update on batches
  for each row when ((old.status, old.held_by, old.begun, old.completed, old.failed, old.canceled, old.max_cost_usd)
    is distinct from (new.status, new.held_by, new.begun, new.completed, new.failed, new.canceled, new.max_cost_usd))
  execute function announce('id');

create or replace trigger announce_end after delete on api_keys
  for each row execute function announce('id');
create or replace trigger announce_end after update of ended_at on logins
  for each row when (new.ended_at is not null) execute function announce('user_id');
create or replace trigger announce_end after delete on memberships
  for each row execute function announce('user_id');
create or replace trigger announce_role after update of role on memberships
  for each row execute function announce('user_id');
create or replace trigger announce_credentials after update of credentials_version, disabled_at on users
  for each row execute function announce('users.id');
