/** The deliveries of a batch that redelivers. */
import type { QueryBuilder, Transaction } from 'objection';
import type { BatchReceivers } from '../../contract/sessions/batches.ts';
import { AssistantModel } from '../models/assistant.ts';
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

const MAX_RECEIVERS = 10;

type Receiving = Pick<DeliveryModel, 'assistant_id' | 'alert'> & { url: string | null; deliveries: number };

/** Counts what a batch would redeliver, by the host that now receives it. */
export const countFutureReceivers = (batch: Parameters<typeof findDeliveries>[0]): Promise<BatchReceivers> =>
  countReceivers(findDeliveries(batch), 'null');

/** Counts the deliveries of a batch by host: the one of the last attempt, or the present one before the first attempt. */
export const countOwnReceivers = (batch_id: string): Promise<BatchReceivers> =>
  countReceivers(
    DeliveryModel.query().where({ batch_id }),
    '(select url from delivery_attempts where delivery_id = deliveries.id order by attempt desc limit 1)',
  );

async function countReceivers(
  deliveries: QueryBuilder<DeliveryModel, DeliveryModel[]>,
  url: string,
): Promise<BatchReceivers> {
  const groups = await deliveries
    .select('assistant_id', 'alert', DeliveryModel.raw(`${url} as url, count(*)::int as deliveries`))
    .groupByRaw('1, 2, 3')
    .castTo<Receiving[]>();
  const assistants = await AssistantModel.query().findByIds([
    ...new Set(groups.map(({ assistant_id }) => assistant_id)),
  ]);
  const counts = new Map<string, number>();
  for (const { assistant_id, alert, url: used, deliveries: count } of groups) {
    const present = assistants.find(({ id }) => id === assistant_id)?.findReceiver(alert)?.url;
    const to = used ?? present;
    const host = to && new URL(to).host;
    // Without a receiver, a delivery is stopped.
    if (host) counts.set(host, (counts.get(host) ?? 0) + count);
  }
  return [...counts]
    .map(([host, count]) => ({ host, deliveries: count }))
    .sort((a, b) => b.deliveries - a.deliveries)
    .slice(0, MAX_RECEIVERS);
}
