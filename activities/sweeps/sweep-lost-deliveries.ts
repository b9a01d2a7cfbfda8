import type { Client } from '@temporalio/client';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { startDelivery } from '../../runtime/temporal/start-delivery.ts';
import type { StartableDelivery } from '../../runtime/temporal/start-delivery.ts';
import { startRedelivery } from '../../runtime/temporal/start-long-run.ts';
import { inCheckedBatches } from './in-checked-batches.ts';
import { LOST_AFTER_S, sweepRow } from './sweep-row.ts';

export interface SweepLostDeliveriesDeps {
  client: Client;
  log: Log;
}

export interface DeliverySweepReport {
  started: number;
  stopped: number;
}

/** A delivery whose workflow runs, as one does that waits for a slot, is looked at again after this time. */
const RECHECK_AFTER_S = 600;

/**
 * Looks for overdue deliveries, and redeliveries of many, that no workflow works on. A start that was lost, and what Temporal
 * lost, is started, on with the attempts that are on record; what was ended by force in Temporal is stopped.
 */
export function createSweepLostDeliveries({ client, log }: SweepLostDeliveriesDeps) {
  return async function sweepLostDeliveries(): Promise<DeliverySweepReport> {
    const report: DeliverySweepReport = { started: 0, stopped: 0 };
    const sweep = async (row: Parameters<typeof sweepRow>[1]) => {
      const done = await sweepRow({ client, log }, row);
      if (done !== undefined) report[done] += 1;
    };
    const check = (delivery: DeliveryModel) => {
      const stopped = { status: 'stopped', stop_reason: 'terminated', next_attempt_at: null } as const;
      return sweep({
        id: delivery.id,
        workflowId: delivery.workflow_id,
        start: () => startAgain(client, delivery),
        stop: () => DeliveryModel.patchPending(delivery.id, stopped),
      });
    };
    const setChecked = ({ id }: DeliveryModel) => DeliveryModel.setChecked(id, RECHECK_AFTER_S);
    await inCheckedBatches({ find: DeliveryModel.findOverdue, check, setChecked, log });
    for (const { id } of await RedeliveryModel.findRunning(LOST_AFTER_S)) {
      await sweep({
        id,
        start: () => startRedelivery(client, id),
        stop: () => RedeliveryModel.end(id, 'canceled'),
      });
    }
    return report;
  };
}

/**
 * Starts the delivery in a workflow of its own, also if its session's workflow had it: that workflow is gone, and its
 * session has ended.
 */
async function startAgain(client: Client, delivery: StartableDelivery): Promise<void> {
  await DeliveryModel.query().patch({ workflow_id: delivery.id }).where({ id: delivery.id, status: 'pending' });
  await startDelivery(client, delivery, { attemptsMade: await DeliveryAttemptModel.countEnded(delivery.id) });
}
