/** Adds idempotency keys and limits of cost to batches, and announces how far they are. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table batches
      -- The client's own name of the request, and the SHA-256 of what was asked for under it.
      add idempotency_key text,
      add payload_hash bytea,
      -- US dollars that it is to cost at most; null: as much as it takes.
      add max_cost_usd numeric;

    create trigger announce_change after insert on batches
      for each row execute function announce_change();
    create trigger announce_progress after update on batches
      for each row when (
        (old.status, old.held_by, old.begun, old.completed, old.failed, old.canceled, old.max_cost_usd) is distinct from
        (new.status, new.held_by, new.begun, new.completed, new.failed, new.canceled, new.max_cost_usd))
      execute function announce_change();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger announce_progress on batches;
    drop trigger announce_change on batches;
    alter table batches drop idempotency_key, drop payload_hash, drop max_cost_usd;
  `);
}
