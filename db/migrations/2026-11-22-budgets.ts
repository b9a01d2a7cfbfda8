/**
 * Adds budgets that calls under way cannot overrun: each call reserves an estimate, and every user's month has a
 * running total that a call reads and locks when it opens.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- What the call counts for in budgets as long as its cost is not known; null: nothing.
    alter table vendor_calls add reserved_usd numeric;
    create index vendor_calls_running on vendor_calls (started_at) where status = 'running';

    -- Running totals by calendar month, UTC. They follow the ledger, and nothing else writes them.
    create table monthly_spending (
      month date not null,
      user_id text collate "C" not null,
      -- What the calls that have ended count for, and what those that run have reserved.
      spent_usd numeric not null default 0,
      reserved_usd numeric not null default 0,
      primary key (month, user_id)
    ) with (fillfactor = 50);

    create function month_of(moment timestamptz) returns date language sql immutable
      return date_trunc('month', moment at time zone 'UTC')::date;

    create function count_vendor_call() returns trigger language plpgsql as $$
    declare
      spent numeric := 0;
      reserved numeric := 0;
    begin
      if tg_op = 'UPDATE' then
        if old.status = 'running' and old.cost_usd is null then
          reserved := -coalesce(old.reserved_usd, 0);
        else
          spent := -coalesce(old.cost_usd, old.reserved_usd, 0);
        end if;
      end if;
      if new.status = 'running' and new.cost_usd is null then
        reserved := reserved + coalesce(new.reserved_usd, 0);
      else
        spent := spent + coalesce(new.cost_usd, new.reserved_usd, 0);
      end if;
      if spent <> 0 or reserved <> 0 then
        insert into monthly_spending as total (month, user_id, spent_usd, reserved_usd)
          values (month_of(new.started_at), new.user_id, spent, reserved)
          on conflict (month, user_id) do update
            set spent_usd = total.spent_usd + excluded.spent_usd, reserved_usd = total.reserved_usd + excluded.reserved_usd;
      end if;
      return null;
    end $$;
    -- At the commit: a transaction that stores a result holds the user's total for no longer than it must.
    create constraint trigger count_vendor_call after insert or update of status, cost_usd, reserved_usd on vendor_calls
      deferrable initially deferred for each row execute function count_vendor_call();

    insert into monthly_spending (month, user_id, spent_usd)
      select month_of(started_at), user_id, sum(coalesce(cost_usd, 0)) from vendor_calls group by 1, 2;

    -- Opens a call, or says why not. The row of the user's total is the lock: of calls that open at the same moment each
    -- sees what the ones before it reserved. Earlier calls of the step that are still open are lost first, in the order
    -- in which a call that ends takes its locks.
    create function open_vendor_call(
      call json, since timestamptz, max_calls integer, max_budget numeric, installation_budget numeric,
      out attempt integer, out refusal text
    ) language plpgsql as $$
    declare
      given vendor_calls := json_populate_record(null::vendor_calls, call);
      this_month date := month_of(now());
      own monthly_spending;
      everyones monthly_spending;
      budget numeric;
      has_lost boolean;
    begin
      update vendor_calls set status = 'lost', reserved_usd = null
        where session_id = given.session_id and step = given.step and status = 'running';
      has_lost := found;
      if max_calls <= (select count(*) from vendor_calls made
          where made.session_id = given.session_id and made.step = given.step and made.started_at >= since) then
        refusal := 'too_many_calls';
        return;
      end if;
      if installation_budget is not null then
        perform pg_advisory_xact_lock(hashtextextended('installation_budget', 0));
      end if;
      if has_lost then
        set constraints count_vendor_call immediate;
      end if;
      insert into monthly_spending (month, user_id) values (this_month, given.user_id) on conflict do nothing;
      select * into own from monthly_spending where month = this_month and user_id = given.user_id for update;
      if installation_budget is not null then
        select coalesce(sum(spent_usd), 0) as spent_usd, coalesce(sum(reserved_usd), 0) as reserved_usd
          into everyones.spent_usd, everyones.reserved_usd from monthly_spending where month = this_month;
      end if;
      select least(monthly_budget_usd, max_budget) into budget from users where id = given.user_id;
      refusal := case
        when budget <= own.spent_usd then 'budget_spent'
        when installation_budget <= everyones.spent_usd then 'installation_budget_spent'
        when budget <= own.spent_usd + own.reserved_usd
          or installation_budget <= everyones.spent_usd + everyones.reserved_usd then 'budget_reserved'
      end;
      if refusal is null then
        insert into vendor_calls (session_id, user_id, assistant_id, step, provider, model, reserved_usd, attempt)
          select given.session_id, given.user_id, given.assistant_id, given.step, given.provider, given.model,
            given.reserved_usd, coalesce(max(made.attempt), 0) + 1
          from vendor_calls made where made.session_id = given.session_id and made.step = given.step
          returning vendor_calls.attempt into attempt;
      end if;
    end $$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop function open_vendor_call;
    drop trigger count_vendor_call on vendor_calls;
    drop function count_vendor_call, month_of;
    drop table monthly_spending;
    alter table vendor_calls drop reserved_usd;
  `);
}
