import type { Batch } from '../../contract/batches.ts';
import type { BatchModel } from '../../db/models/batch.ts';

/** Shows a batch. What it has begun and what has ended is as its last step counted it, some seconds ago at the most. */
export function presentBatch(row: BatchModel): Batch {
  const { action, filter, assistant_version, notify, status, held_by, total, begun, ...rest } = row;
  const { completed, failed, canceled, cost_usd, max_cost_usd } = rest;
  return {
    batch_id: row.id,
    ...{ action, filter, assistant_version, notify, status, held_by, total },
    // Of what failed, some may fit no more, and some may fit again.
    remaining: Math.max(0, total - begun),
    running: begun - completed - failed - canceled,
    ...{ completed, failed, canceled, cost_usd, max_cost_usd },
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
