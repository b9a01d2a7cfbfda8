/** Alerts about deliveries whose last attempt failed, and when each receiver was last reported. */
import type { Knex } from 'knex';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw(`create table if not exists receiver_notices (
    workspace_id text collate "C" references workspaces on delete cascade,
    receiver text,
    url_hash text,
    reported_at timestamptz(3) not null,
    primary key (workspace_id, receiver, url_hash)
  )`);
  await db.raw('alter table deliveries drop constraint if exists deliveries_event_known');
  await db.raw(`alter table deliveries add constraint deliveries_event_known
    check (event in ('session.completed', 'session.failed', 'session.alert', 'delivery.failed', 'webhook.test')) not valid`);
  await db.raw('alter table deliveries validate constraint deliveries_event_known');
}
