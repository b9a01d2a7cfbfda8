import { SIGNALS } from '../../contract/workflows.ts';
import type { RetryNowSignal } from '../../contract/workflows.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import { startDelivery } from '../../runtime/temporal/start-delivery.ts';
import { signalWorkflow } from '../../runtime/temporal/runs.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { startBestEffort } from './start-best-effort.ts';

/** Skips the wait before the next attempt. */
export async function retryNow({ temporal }: Pick<ApiDeps, 'temporal'>, delivery: DeliveryModel): Promise<void> {
  const { id, status, workflow_id, next_attempt_at, attempts = [] } = delivery;
  if (status !== 'pending') throw new ApiError('conflict', `This delivery is ${status}. Redeliver it instead.`);
  const last = attempts.at(-1);
  if (!last || last.outcome === null) {
    throw new ApiError('conflict', 'This delivery is not waiting: an attempt is under way or about to begin.');
  }
  const wish: RetryNowSignal = { attempt: last.attempt + 1 };
  const isTakenUp = await callInTime(temporal, CALL_TIMEOUT_MS, async () => {
    if (await signalWorkflow(temporal, workflow_id, SIGNALS.retryNow, wish)) return true;
    if (workflow_id !== id) return false;
    await startDelivery(temporal, delivery, { attemptsMade: last.attempt });
    return true;
  });
  if (!isTakenUp) {
    throw new ApiError('conflict', 'No workflow works on this delivery. It will be taken up or stopped in a minute.');
  }
  await DeliveryModel.hasten(id, next_attempt_at);
}

/** Stops a delivery. Its row counts: a workflow that does not hear of it ends before its next attempt. */
export async function stopDelivery(
  deps: Pick<ApiDeps, 'temporal' | 'log'>,
  { id, workflow_id }: DeliveryModel,
): Promise<void> {
  const fields = { status: 'stopped', stop_reason: 'requested', next_attempt_at: null } as const;
  if ((await DeliveryModel.patchPending(id, fields)) === 0) {
    throw new ApiError('conflict', 'This delivery has ended already.');
  }
  await startBestEffort(deps, id, async () => {
    await signalWorkflow(deps.temporal, workflow_id, SIGNALS.stopDelivery);
  });
}
