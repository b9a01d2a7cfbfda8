import { UNFINISHED_SESSION_STATUSES } from '../../contract/values/constants.ts';
import { isDatabaseUnavailable } from '../../db/connect.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { inBatches } from '../../db/page.ts';
import { eraseWorkspace, findDeletedWorkspaces } from '../../db/queries/deleted-workspaces.ts';
import { sessionRemoved } from '../../runtime/telemetry/events.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { removeSession, type RemoveSessionDeps } from '../sessions/remove-session.ts';

interface RemoveDeletedWorkspacesDeps extends RemoveSessionDeps {
  log: Log;
}

/** Workspaces per sweep. */
const WORKSPACES = 100;

/**
 * Returns the activity that ends the workflows of deleted workspaces and removes their data. If it is interrupted, the next
 * sweep continues. If a workspace cannot be removed, logs it and removes the others.
 */
export function createRemoveDeletedWorkspaces(deps: RemoveDeletedWorkspacesDeps) {
  const { client, log } = deps;
  return async function removeDeletedWorkspaces(): Promise<{ removed: number }> {
    let removed = 0;
    for (const { id: workspace_id } of await findDeletedWorkspaces(WORKSPACES)) {
      try {
        if (!(await removeWorkspace(workspace_id))) continue;
        removed += 1;
        log.info({ workspace_id }, 'removed a deleted workspace');
      } catch (err) {
        if (isDatabaseUnavailable(err)) throw err;
        log.error({ err, workspace_id }, 'could not remove a deleted workspace');
      }
    }
    return { removed };
  };

  async function removeWorkspace(workspace_id: string): Promise<boolean> {
    const running = inBatches(() => BatchModel.query().select('id').where({ workspace_id }).whereNull('ended_at'));
    for await (const { id } of running) await cancelWorkflow(client, id);
    // Unfinished sessions first, so they stop as soon as possible.
    await removeSessions(() => findSessions(workspace_id).whereIn('status', [...UNFINISHED_SESSION_STATUSES]));
    await removeSessions(() => findSessions(workspace_id));
    // Webhook tests have no session.
    const pending = inBatches(() => findPendingDeliveries(workspace_id));
    for await (const { workflow_id } of pending) await cancelWorkflow(client, workflow_id);
    return eraseWorkspace(workspace_id);
  }

  async function removeSessions(select: () => ReturnType<typeof findSessions>): Promise<void> {
    for await (const session of inBatches(select)) {
      if (await removeSession(deps, session)) sessionRemoved.publish({ reason: 'workspace' });
    }
  }
}

const findSessions = (workspace_id: string) =>
  SessionModel.query().select('id', 'type', 'completed_at').where({ workspace_id });

const findPendingDeliveries = (workspace_id: string) =>
  DeliveryModel.query().select('id', 'workflow_id').where({ workspace_id, status: 'pending' });
