import type { TransactionOrKnex } from 'objection';
import { DeliveryModel } from '../models/delivery.ts';
import { IdempotencyKeyModel } from '../models/idempotency-key.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../models/session.ts';
import type { Sessions } from './filter-sessions.ts';

/**
 * Deletes a session with all its content and notifies requests that wait for it. The ledger keeps its costs; a trigger erases
 * the providers' texts. Those of calls that end later are not stored: see `ProviderCallModel.close`. A foreign key deletes its follow-ups with it, whose
 * number is returned with the IDs of all workflows that the caller must cancel. Returns undefined if the session does not exist.
 */
export async function eraseSession(
  id: string,
  trx?: TransactionOrKnex,
): Promise<{ workflowIds: string[]; followUps: number } | undefined> {
  if (!trx) return SessionModel.transaction((own) => eraseSession(id, own));
  const erased = (query: Sessions) => query.where({ id }).orWhere({ first_session_id: id });
  const deliveries = await DeliveryModel.query(trx)
    .select('workflow_id')
    .where({ status: 'pending' })
    .whereIn('session_id', erased(SessionModel.query(trx).select('id')));
  const sessions = await erased(SessionModel.query(trx))
    .delete()
    .returning(['id', 'completed_at', SessionModel.raw('pg_notify(?, id)', SESSION_FINISHED_CHANNEL)]);
  await IdempotencyKeyModel.free(id, trx);
  if (sessions.length === 0) return undefined;
  const open = sessions.filter(({ completed_at }) => completed_at === null).map((session) => session.id);
  return {
    workflowIds: [...new Set([...open, ...deliveries.map(({ workflow_id }) => workflow_id)])],
    followUps: sessions.length - 1,
  };
}
