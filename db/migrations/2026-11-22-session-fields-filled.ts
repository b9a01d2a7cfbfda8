/** Fills in the typed rows of sessions that ended before there were any, beside those that are ending. */
import type { Knex } from 'knex';

/** Each batch is a transaction of its own; what a process that was killed did stays, and is skipped. */
export const config = { transaction: false };

const BATCH = 500;

export async function up(db: Knex): Promise<void> {
  for (let last = ''; ;) {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(FILL, [last, BATCH]);
    if (rows.length === 0) return;
    last = rows.at(-1)?.id ?? '';
  }
}

/** The lock keeps a session from being deleted while its rows are written: they would be left behind. */
const FILL = `
  with batch as materialized (
    select id from sessions where id > ? and status = 'completed' and field_encoding is not null
    order by id limit ? for share
  )
  select sessions.id, insert_session_fields(sessions) from sessions join batch on batch.id = sessions.id
  order by sessions.id
`;

export async function down(): Promise<void> {
  // The rows go with their table.
}
