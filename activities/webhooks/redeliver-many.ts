/** The steps of a redelivery of many deliveries. The workflow sets the pace. */
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { Transaction } from 'objection';
import type { RedeliveryStatus } from '../../contract/values/constants.ts';
import type { RedeliverManyInput } from '../../contract/workflows.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { startDelivery } from '../../runtime/temporal/start.ts';

/** Deliveries per step. */
const PAGE = 10;

/** Limit of deliveries in progress, so a receiver that is still down is not flooded. */
const MAX_IN_FLIGHT = 100;

export interface RedeliveryProgress {
  /** Status of the run; `gone` if its row no longer exists. */
  status: RedeliveryStatus | 'gone';
  total: number;
  started: number;
  /** Deliveries in progress. */
  pending: number;
}

/** Returns the activity that creates and starts the next deliveries. The run's position is stored with them, so none is created twice. */
export function createContinueRedelivery({ client }: { client: Client }) {
  return async function continueRedelivery({ redelivery_id }: RedeliverManyInput): Promise<RedeliveryProgress> {
    // An earlier run of this activity may have stored deliveries without starting them.
    if (Context.current().info.attempt > 1) await startAll(client, await DeliveryModel.findUnbegun(redelivery_id));
    const { progress, created } = await RedeliveryModel.transaction(async (trx) => {
      const run = await RedeliveryModel.lock(redelivery_id, trx);
      if (!run) return { progress: GONE, created: [] };
      const pending = await run.countPending(trx);
      const wanted = run.status === 'running' ? Math.min(PAGE, MAX_IN_FLIGHT - pending) : 0;
      const found = wanted > 0 ? await run.findMatching(trx).orderBy('id').limit(wanted) : [];
      const created = await createCopies(run, found, trx);
      const counts = { total: run.total, started: run.started + created.length, pending: pending + created.length };
      // With none in progress, a whole page was requested, so none is left.
      const isOver = run.status === 'running' && counts.pending === 0;
      if (isOver) await RedeliveryModel.end(redelivery_id, 'completed', trx);
      return { progress: { status: isOver ? 'completed' : run.status, ...counts } as const, created };
    });
    await startAll(client, created);
    return progress;
  };
}

const GONE: RedeliveryProgress = { status: 'gone', total: 0, started: 0, pending: 0 };

async function createCopies(run: RedeliveryModel, found: DeliveryModel[], trx: Transaction) {
  const last = found.at(-1);
  if (!last) return [];
  await RedeliveryModel.query(trx)
    .findById(run.id)
    .patch({ last_id: last.id, started: run.started + found.length });
  return DeliveryModel.createOwn(
    found.map((delivery) => ({ ...delivery.toReplay(), redelivery_id: run.id })),
    trx,
  );
}

async function startAll(client: Client, deliveries: DeliveryModel[]): Promise<void> {
  await Promise.all(deliveries.map((delivery) => startDelivery(client, delivery)));
}

/** Ends the run of a canceled workflow. Deliveries in progress continue. */
export async function cancelRedelivery({ redelivery_id }: RedeliverManyInput): Promise<void> {
  await RedeliveryModel.end(redelivery_id, 'canceled');
}
