import type { Client } from '@temporalio/client';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { startDelivery, type StartableDelivery } from '../../runtime/temporal/start.ts';
import { checkOverdue, sweepRow, type SweepDeps } from './sweep-rows.ts';

const TERMINATED = { status: 'stopped', stop_reason: 'terminated', next_attempt_at: null } as const;

/**
 * Returns the activity that checks overdue deliveries. If the start of the workflow was lost, or
 * Temporal lost its data, starts the workflow after the recorded attempts. If the workflow was terminated, stops the
 * delivery.
 */
export function createSweepLostDeliveries(deps: SweepDeps) {
  const { client, log } = deps;
  return async function sweepLostDeliveries() {
    const report = { started: 0, stopped: 0 };
    const check = async (delivery: DeliveryModel) => {
      const done = await sweepRow(deps, {
        id: delivery.id,
        workflowId: delivery.workflow_id,
        start: () => startAgain(client, delivery),
        stop: () => DeliveryModel.patchPending(delivery.id, TERMINATED),
      });
      if (done) report[done] += 1;
    };
    await checkOverdue(DeliveryModel, check, log);
    return report;
  };
}

/** Starts the delivery in its own workflow, even if its session's workflow, which is gone, had the delivery. */
async function startAgain(client: Client, delivery: StartableDelivery): Promise<void> {
  await DeliveryModel.query().patch({ workflow_id: delivery.id }).where({ id: delivery.id, status: 'pending' });
  await startDelivery(client, delivery, { attemptsMade: await DeliveryAttemptModel.countEnded(delivery.id) });
}
