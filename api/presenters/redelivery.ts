import type { Redelivery } from '../../contract/redeliveries.ts';
import type { RedeliveryModel } from '../../db/models/redelivery.ts';

/** The counts are those of the deliveries themselves, read now. */
export async function presentRedelivery(row: RedeliveryModel): Promise<Redelivery> {
  const counts = await row.countDeliveries();
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
