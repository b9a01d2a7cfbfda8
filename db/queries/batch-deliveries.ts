/** The deliveries of a batch that redelivers. */
import type { Transaction } from 'objection';
import type { BatchModel } from '../models/batch.ts';
import { DeliveryModel } from '../models/delivery.ts';
import { findDeliveries } from './batch-sources.ts';

/** Creates up to `limit` of the next deliveries of a batch. Returns those whose workflow must be started. */
export async function beginDeliveries(batch: BatchModel, limit: number, trx: Transaction): Promise<DeliveryModel[]> {
  const found = await findDeliveries(batch, trx).where('id', '>', batch.last_id).orderBy('id').limit(limit);
  const last = found.at(-1);
  if (!last) return [];
  await batch.$query(trx).patch({ last_id: last.id, begun: batch.begun + found.length });
  return DeliveryModel.createOwn(
    found.map((delivery) => ({ ...delivery.toReplay(), batch_id: batch.id })),
    trx,
  );
}

/** Counts the deliveries that have ended. Those that were deleted with their session count as canceled. */
export async function settleDeliveries(id: string, trx: Transaction): Promise<void> {
  await trx.raw(
    `update batches set completed = delivered, failed = counted.failed, canceled = begun - pending - delivered - counted.failed
     from (
       select count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'failed') as failed,
         count(*) filter (where status = 'delivered') as delivered
       from deliveries where batch_id = :id
     ) counted
     where id = :id`,
    { id },
  );
}
