import { UNFINISHED_SESSION_STATUSES } from '../../contract/constants.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { inBatches } from '../../db/page.ts';
import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import type { ApiDeps } from '../deps.ts';
import { endUnstarted } from './cancel-session.ts';

/** Ends what runs for a user: batches, sessions, deliveries, redeliveries. Returns how many runs were told to end. */
export async function stopRunsOf(temporal: ApiDeps['temporal'], userId: string): Promise<number> {
  let stopped = 0;
  const cancel = async (workflowId: string) => {
    const isRunning = await callInTime(temporal, CALL_TIMEOUT_MS, () => cancelWorkflow(temporal, workflowId));
    if (isRunning) stopped += 1;
    return isRunning;
  };
  for (const { id } of await BatchModel.query().select('id').where({ user_id: userId }).whereNull('ended_at')) {
    await cancel(id);
  }
  const redeliveries = RedeliveryModel.query().select('id').where({ user_id: userId, status: 'running' });
  for (const { id } of await redeliveries) await cancel(id);
  for await (const { id } of inBatches(() => findUnfinishedOf(userId))) {
    if (!(await cancel(id))) await endUnstarted(id);
  }
  for await (const { workflow_id } of inBatches(() => findPendingOf(userId))) await cancel(workflow_id);
  return stopped;
}

const findUnfinishedOf = (user_id: string) =>
  SessionModel.query()
    .select('id')
    .where({ user_id })
    .whereIn('status', [...UNFINISHED_SESSION_STATUSES]);

const findPendingOf = (user_id: string) =>
  DeliveryModel.query().select('id', 'workflow_id').where({ user_id, status: 'pending' });
