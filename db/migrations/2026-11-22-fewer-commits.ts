/** Adds what takes a slot and puts the call on record in one commit: docs/performance.md, "What a session costs". */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Opens a call of a session whose step begins with it: the session gets its slot first, as claim_slot gives it, unless
    -- the step has begun. 'no_slot' says that it must wait, has ended or is gone; then no call is opened. The owner's lock
    -- comes before that of the owner's total, as where an analysis ends.
    create function begin_vendor_call(
      call json, status_given text, max_in_flight integer, since timestamptz, max_calls integer, max_budget numeric,
      installation_budget numeric, out attempt integer, out refusal text
    ) language plpgsql as $$
    declare
      id_given text := call ->> 'session_id';
    begin
      perform from sessions where id = id_given and status = status_given;
      if not found then
        perform from claim_slot(id_given, status_given, max_in_flight);
      end if;
      if not found then
        refusal := 'no_slot';
        return;
      end if;
      select opened.attempt, opened.refusal into attempt, refusal
        from open_vendor_call(call, since, max_calls, max_budget, installation_budget) opened;
    end $$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop function begin_vendor_call');
}
