import type { Redelivery } from '../../contract/redeliveries.ts';
import type { DeliveryCounts, RedeliveryModel } from '../../db/models/redelivery.ts';

/** @param counts what became of its deliveries so far. */
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
