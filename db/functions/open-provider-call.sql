-- In SQL, because each statement of a function sees what others committed while it waited for a lock. A single statement in
-- TypeScript would add up the totals from before the wait.
create or replace function open_provider_call(call jsonb, since timestamptz, max_calls integer, max_budget numeric, installation_budget numeric, out attempt integer, out refusal text)
returns record
language plpgsql
as $$
declare
  given provider_calls := jsonb_populate_record(null::provider_calls, call);
  this_month date := date_trunc('month', now() at time zone 'UTC');
  own monthly_spending;
  of_owner monthly_spending;
  installation monthly_spending;
  budget numeric;
  has_lost boolean;
begin
  perform from sessions where id = given.session_id and completed_at is null;
  if not found then
    refusal := 'session_ended';
    return;
  end if;
  update provider_calls set status = 'lost', reserved_usd = null
    where session_id = given.session_id and step = given.step and status = 'running'
      and provider_job_id is null;
  has_lost := found;
  -- The fence lets the planner read by the session only: with outdated statistics, it would read by time.
  if max_calls <= (select count(*) from (select * from provider_calls where session_id = given.session_id offset 0) made
      where made.step = given.step and made.started_at >= since and made.status <> 'failed') then
    refusal := 'too_many_calls';
    return;
  end if;
  if installation_budget is not null then
    perform pg_advisory_xact_lock(hashtextextended('installation_budget', 0));
  end if;
  if max_budget is not null then
    -- All workspaces of an owner share the maximum. Locked before the row of the workspace, so that calls never wait for each other.
    perform pg_advisory_xact_lock(hashtextextended(coalesce((
      select total.owner_id from monthly_spending total
      where total.month = this_month and total.workspace_id = given.workspace_id), owner_of(given.workspace_id)), 1));
  end if;
  if has_lost then
    set constraints count_provider_call immediate;
  end if;
  loop
    select * into own from monthly_spending where month = this_month and workspace_id = given.workspace_id for update;
    exit when found;
    insert into monthly_spending (month, workspace_id, owner_id)
      values (this_month, given.workspace_id, owner_of(given.workspace_id)) on conflict do nothing;
  end loop;
  if max_budget is not null then
    select sum(total.spent_usd), sum(total.reserved_usd) into of_owner.spent_usd, of_owner.reserved_usd
      from monthly_spending total where total.month = this_month and total.owner_id = own.owner_id;
  end if;
  if installation_budget is not null then
    select coalesce(sum(spent_usd), 0) as spent_usd, coalesce(sum(reserved_usd), 0) as reserved_usd
      into installation.spent_usd, installation.reserved_usd from monthly_spending where month = this_month;
  end if;
  select least(monthly_budget_usd, max_budget) into budget from workspaces where id = given.workspace_id;
  refusal := case
    when given.reserved_usd = 0 then null
    when budget <= own.spent_usd or max_budget <= of_owner.spent_usd then 'budget_spent'
    when installation_budget <= installation.spent_usd then 'installation_budget_spent'
    when budget <= own.spent_usd + own.reserved_usd
      or max_budget <= of_owner.spent_usd + of_owner.reserved_usd
      or installation_budget <= installation.spent_usd + installation.reserved_usd then 'budget_reserved'
  end;
  if refusal is null then
    insert into provider_calls (session_id, workspace_id, assistant_id, step, provider, model, reserved_usd, attempt)
      select given.session_id, given.workspace_id, given.assistant_id, given.step, given.provider, given.model,
        given.reserved_usd, coalesce(max(made.attempt), 0) + 1
      from provider_calls made where made.session_id = given.session_id and made.step = given.step
      returning provider_calls.attempt into attempt;
  end if;
end $$;
