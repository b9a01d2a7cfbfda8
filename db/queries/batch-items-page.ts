import type { BatchItem } from '../../contract/batch-items.ts';
import { SessionModel } from '../models/session.ts';
import type { Page, PageRequest } from '../page.ts';

/** Returns a page of what a batch has begun, newest source first, with the present state of each session. */
export async function findItemsPage(
  batchId: string,
  { status, limit, cursor }: PageRequest & { status?: string | undefined },
): Promise<Page<BatchItem>> {
  const { rows } = await SessionModel.knex().raw<{ rows: BatchItem[] }>(
    `select item.source_session_id, item.session_id, coalesce(session.status, 'deleted') as status, session.error
     from batch_items item left join sessions session on session.id = item.session_id
     where item.batch_id = :batchId ${cursor === undefined ? '' : 'and item.source_session_id < :cursor'}
       ${status === undefined ? '' : "and coalesce(session.status, 'deleted') = :status"}
     order by item.source_session_id desc limit :limit`,
    { batchId, cursor: cursor ?? '', status: status ?? '', limit: limit + 1 },
  );
  const page = rows.slice(0, limit);
  return { rows: page, next_cursor: rows.length > limit ? (page.at(-1)?.source_session_id ?? null) : null };
}
