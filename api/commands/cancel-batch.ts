import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { findBatch } from '../lookups/find-batch.ts';
import { endUnstarted } from './cancel-session.ts';
import { startBestEffort } from './start-best-effort.ts';

/**
 * Has a batch begin nothing more. New sessions that wait for their turn are canceled; those that run go on to their end,
 * and so does what was retried: canceled, it could not be retried again.
 */
export async function cancelBatch(deps: Pick<ApiDeps, 'temporal' | 'log'>, batch: BatchModel): Promise<BatchModel> {
  const { id, user_id, action } = batch;
  if (!(await BatchModel.cancel(user_id, id))) {
    throw new ApiError('conflict', 'This batch has ended or is being canceled already.');
  }
  if (action === 'reanalyze') {
    const queued = await SessionModel.query().select('id').where({ batch_id: id, status: 'queued' });
    await Promise.all(
      queued.map((session) =>
        startBestEffort(deps, session.id, async () => {
          // A step of the batch may have stored it and not started it yet.
          if (!(await cancelWorkflow(deps.temporal, session.id))) await endUnstarted(session.id);
        }),
      ),
    );
  }
  return findBatch(user_id, id);
}
