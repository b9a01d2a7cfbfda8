create or replace function count_provider_call()
returns trigger
language plpgsql
as $$
declare
  started_in date := date_trunc('month', new.started_at at time zone 'UTC');
  spent numeric := 0;
  reserved numeric := 0;
begin
  -- `old` is null for an insert.
  if old.status = 'running' and old.cost_usd is null then
    reserved := -coalesce(old.reserved_usd, 0);
  else
    spent := -coalesce(old.cost_usd, old.reserved_usd, 0);
  end if;
  if new.status = 'running' and new.cost_usd is null then
    reserved := reserved + coalesce(new.reserved_usd, 0);
  else
    spent := spent + coalesce(new.cost_usd, new.reserved_usd, 0);
  end if;
  if spent = 0 and reserved = 0 then
    return null;
  end if;
  update monthly_spending set spent_usd = spent_usd + spent, reserved_usd = reserved_usd + reserved
    where month = started_in and workspace_id = new.workspace_id;
  if not found then
    insert into monthly_spending as total (month, workspace_id, owner_id, spent_usd, reserved_usd)
      values (started_in, new.workspace_id, owner_of(new.workspace_id), spent, reserved)
      on conflict (month, workspace_id) do update
        set spent_usd = total.spent_usd + excluded.spent_usd, reserved_usd = total.reserved_usd + excluded.reserved_usd;
  end if;
  return null;
end $$;

drop trigger if exists count_provider_call on provider_calls;
create constraint trigger count_provider_call after insert or update of status, cost_usd, reserved_usd on provider_calls deferrable initially deferred for each row execute function count_provider_call();
