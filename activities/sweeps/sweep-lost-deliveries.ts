import type { Client } from '@temporalio/client';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { startDelivery, startRedelivery } from '../../runtime/temporal/start.ts';
import type { StartableDelivery } from '../../runtime/temporal/start.ts';
import { checkOverdue, LOST_AFTER_S, sweepRow } from './sweep-rows.ts';
import type { SweepDeps } from './sweep-rows.ts';

const TERMINATED = { status: 'stopped', stop_reason: 'terminated', next_attempt_at: null } as const;

/**
 * Returns the activity that checks overdue deliveries, and redeliveries. If the start of the workflow was lost, or
 * Temporal lost its data, starts the workflow after the recorded attempts. If the workflow was terminated, stops the
 * delivery.
 */
export function createSweepLostDeliveries(deps: SweepDeps) {
  const { client, log } = deps;
  return async function sweepLostDeliveries() {
    const report = { started: 0, stopped: 0 };
    const sweep = async (row: Parameters<typeof sweepRow>[1]) => {
      const done = await sweepRow(deps, row);
      if (done) report[done] += 1;
    };
    const check = (delivery: DeliveryModel) =>
      sweep({
        id: delivery.id,
        workflowId: delivery.workflow_id,
        start: () => startAgain(client, delivery),
        stop: () => DeliveryModel.patchPending(delivery.id, TERMINATED),
      });
    await checkOverdue(DeliveryModel, check, log);
    for (const { id } of await RedeliveryModel.findRunning(LOST_AFTER_S)) {
      await sweep({ id, start: () => startRedelivery(client, id), stop: () => RedeliveryModel.end(id, 'canceled') });
    }
    return report;
  };
}

/** Starts the delivery in its own workflow, even if its session's workflow, which is gone, had the delivery. */
async function startAgain(client: Client, delivery: StartableDelivery): Promise<void> {
  await DeliveryModel.query().patch({ workflow_id: delivery.id }).where({ id: delivery.id, status: 'pending' });
  await startDelivery(client, delivery, { attemptsMade: await DeliveryAttemptModel.countEnded(delivery.id) });
}
