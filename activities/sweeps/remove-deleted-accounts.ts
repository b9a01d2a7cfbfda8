import { UNFINISHED_SESSION_STATUSES } from '../../contract/constants.ts';
import { isDatabaseUnavailable } from '../../db/connect.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { inBatches } from '../../db/page.ts';
import { eraseUser, findDeletedUsers } from '../../db/queries/deleted-users.ts';
import { sessionRemoved } from '../../runtime/telemetry/events.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { cancelWorkflow } from '../../runtime/temporal/runs.ts';
import { removeSession } from '../sessions/remove-session.ts';
import type { RemoveSessionDeps } from '../sessions/remove-session.ts';

export interface RemoveDeletedAccountsDeps extends RemoveSessionDeps {
  log: Log;
}

/** Accounts that one sweep begins with; the next one goes on. */
const ACCOUNTS = 100;

/**
 * Returns the activity that ends what runs of deleted accounts and removes what is stored of them. It may be cut short
 * anywhere: what is left is found again, and an account that cannot be removed stops no other.
 */
export function createRemoveDeletedAccounts(deps: RemoveDeletedAccountsDeps) {
  const { client, log } = deps;
  return async function removeDeletedAccounts(): Promise<{ removed: number }> {
    let removed = 0;
    for (const { id } of await findDeletedUsers(ACCOUNTS)) {
      try {
        if (!(await removeAccount(id))) continue;
        removed += 1;
        log.info({ user_id: id }, 'removed a deleted account');
      } catch (err) {
        if (isDatabaseUnavailable(err)) throw err;
        log.error({ err, user_id: id }, 'a deleted account could not be removed');
      }
    }
    return { removed };
  };

  async function removeAccount(user_id: string): Promise<boolean> {
    const running = inBatches(() => RedeliveryModel.query().select('id').where({ user_id, status: 'running' }));
    for await (const { id } of running) await cancelWorkflow(client, id);
    // What runs goes first: it ends soonest.
    await removeSessions(() => findSessions(user_id).whereIn('status', [...UNFINISHED_SESSION_STATUSES]));
    await removeSessions(() => findSessions(user_id));
    // Tests of webhooks, which have no session.
    const pending = inBatches(() => findPendingDeliveries(user_id));
    for await (const { workflow_id } of pending) await cancelWorkflow(client, workflow_id);
    return eraseUser(user_id);
  }

  async function removeSessions(select: () => ReturnType<typeof findSessions>): Promise<void> {
    for await (const session of inBatches(select)) {
      if (await removeSession(deps, session)) sessionRemoved.tell({ reason: 'account' });
    }
  }
}

const findSessions = (user_id: string) => SessionModel.query().select('id', 'type', 'completed_at').where({ user_id });

const findPendingDeliveries = (user_id: string) =>
  DeliveryModel.query().select('id', 'workflow_id').where({ user_id, status: 'pending' });
