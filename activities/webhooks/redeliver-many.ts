/** Runs the steps of a redelivery of many; its workflow sets the pace. */
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { RedeliveryStatus } from '../../contract/constants.ts';
import type { RedeliverManyInput } from '../../contract/workflows.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { startDelivery } from '../../runtime/temporal/start-delivery.ts';

/** Deliveries that are made in one step. */
const PAGE = 10;

/** Deliveries of one run that may be under way. The bound keeps a receiver that is still down from being flooded. */
const MAX_IN_FLIGHT = 100;

export interface RedeliveryProgress {
  /** Status of the run; `gone` when its row does not exist any more. */
  status: RedeliveryStatus | 'gone';
  total: number;
  started: number;
  /** Deliveries that were started and have not ended. */
  pending: number;
}

/**
 * Returns the activity that makes the next deliveries and starts them. The run's place is stored with them, so that
 * none is made twice.
 */
export function createContinueRedelivery({ client }: { client: Client }) {
  return async function continueRedelivery({ redelivery_id }: RedeliverManyInput): Promise<RedeliveryProgress> {
    // An earlier run of this activity may have died after it stored deliveries and before it started them.
    if (Context.current().info.attempt > 1) await startAll(client, await DeliveryModel.findUnbegun(redelivery_id));
    const { progress, created } = await RedeliveryModel.transaction(async (trx) => {
      const run = await RedeliveryModel.lock(redelivery_id, trx);
      if (!run) return { progress: GONE, created: [] };
      const pending = await run.countPending(trx);
      const wanted = run.status === 'running' ? Math.min(PAGE, MAX_IN_FLIGHT - pending) : 0;
      const found = wanted > 0 ? await run.findMatching(trx).orderBy('id').limit(wanted) : [];
      const created = await makeAgain(run, found, trx);
      const counts = { total: run.total, started: run.started + created.length, pending: pending + created.length };
      // With nothing under way, a whole page was asked for, and no delivery was found.
      const isOver = run.status === 'running' && counts.pending === 0;
      if (isOver) await RedeliveryModel.end(redelivery_id, 'completed', trx);
      return { progress: { status: isOver ? 'completed' : run.status, ...counts } as const, created };
    });
    await startAll(client, created);
    return progress;
  };
}

const GONE: RedeliveryProgress = { status: 'gone', total: 0, started: 0, pending: 0 };

async function makeAgain(
  run: RedeliveryModel,
  found: DeliveryModel[],
  trx: Parameters<typeof RedeliveryModel.lock>[1],
) {
  const last = found.at(-1);
  if (!last) return [];
  await RedeliveryModel.query(trx)
    .findById(run.id)
    .patch({ last_id: last.id, started: run.started + found.length });
  return DeliveryModel.createOwn(
    found.map(({ id, user_id, session_id, assistant_id, event, payload }) => ({
      ...{ user_id, session_id, assistant_id, event, payload },
      replayed_from: id,
      redelivery_id: run.id,
    })),
    trx,
  );
}

async function startAll(client: Client, deliveries: DeliveryModel[]): Promise<void> {
  await Promise.all(deliveries.map((delivery) => startDelivery(client, delivery)));
}

/** Ends the run of a canceled workflow: nothing more is started, and deliveries under way go on. */
export async function cancelRedelivery({ redelivery_id }: RedeliverManyInput): Promise<void> {
  await RedeliveryModel.end(redelivery_id, 'canceled');
}
