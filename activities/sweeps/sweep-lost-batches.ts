import type { Client } from '@temporalio/client';
import { BatchModel } from '../../db/models/batch.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { startBatch } from '../../runtime/temporal/start-long-run.ts';
import { LOST_AFTER_S, sweepRow } from './sweep-row.ts';

/** Looks for batches that no workflow works on. */
export async function sweepLostBatches(deps: { client: Client; log: Log }): Promise<void> {
  for (const { id } of await BatchModel.findUnfinished(LOST_AFTER_S)) {
    await sweepRow(deps, {
      id,
      start: () => startBatch(deps.client, id),
      stop: () => BatchModel.end(id, 'canceled'),
    });
  }
}
