/** Adds indexes that cover what `GET /v1/stats` counts: docs/decisions.md, "Statistics". */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index sessions_stats on sessions (user_id, created_at) include (id, assistant_id, status, queued_at, completed_at);
    create index vendor_calls_stats on vendor_calls (user_id, started_at)
      include (session_id, assistant_id, step, status, ended_at);
    -- The one before begins with the same columns.
    drop index vendor_calls_user_id_started_at_idx;
    create index deliveries_stats on deliveries (user_id, created_at) include (id, assistant_id, status);
    create index delivery_attempts_failed on delivery_attempts (delivery_id) include (failure) where failure is not null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    create index on vendor_calls (user_id, started_at);
    drop index sessions_stats, vendor_calls_stats, deliveries_stats, delivery_attempts_failed;
  `);
}
