/** Sessions of other assistants on the conversation of a first session, which go with it. */
import type { Knex } from 'knex';
import { AUDIT_ACTIONS } from './020-corrections.ts';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

const BATCH_ACTIONS = "'reanalyze', 'retry', 'delete', 'redeliver', 'cancel', 'score', 'analyze'";

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table assistants add column if not exists follow_ups jsonb');
  await db.raw('alter table sessions add column if not exists skipped_follow_ups jsonb');
  await db.raw('alter table sessions add column if not exists first_session_id text collate "C"');
  // An index that was being built when the process ended is invalid.
  await db.raw('drop index concurrently if exists sessions_of_first');
  await db.raw(`create index concurrently if not exists sessions_of_first on sessions (first_session_id)
    where first_session_id is not null`);
  await db.raw('alter table sessions drop constraint if exists sessions_first');
  await db.raw(`alter table sessions add constraint sessions_first
    foreign key (first_session_id) references sessions on delete cascade not valid`);
  await db.raw('alter table sessions validate constraint sessions_first');
  for (const [table, actions] of [
    ['batches', BATCH_ACTIONS],
    ['audit_events', `${AUDIT_ACTIONS}, 'session_analyzed'`],
  ] as const) {
    await db.raw(`alter table ${table} drop constraint if exists ${table}_action_known`);
    await db.raw(`alter table ${table} add constraint ${table}_action_known check (action in (${actions})) not valid`);
    await db.raw(`alter table ${table} validate constraint ${table}_action_known`);
  }
}
