import type { Redelivery, RedeliveryPreview } from '../../contract/redeliveries.ts';
import type { DeliveryCounts, RedeliveryModel, RedeliveryPreviewRow } from '../../db/models/redelivery.ts';

/**
 * Shows a redelivery of many.
 * @param counts what became of its deliveries so far.
 */
export function presentRedelivery(row: RedeliveryModel, counts: DeliveryCounts): Redelivery {
  return {
    redelivery_id: row.id,
    filter: row.filter,
    status: row.status,
    total: row.total,
    started: counts.pending + counts.delivered + counts.failed + counts.stopped,
    ...counts,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/**
 * Shows what a redelivery of many would do.
 * @param rows one for each assistant, the one with the most first.
 */
export function presentRedeliveryPreview(rows: readonly RedeliveryPreviewRow[]): RedeliveryPreview {
  const times = rows.flatMap(({ oldest, newest }) => [oldest.toISOString(), newest.toISOString()]).sort();
  return {
    total: rows.reduce((sum, { total }) => sum + total, 0),
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
    by_assistant: rows.map(({ assistant_id, total }) => ({ assistant_id, total })),
  };
}
