import type { TransactionOrKnex } from 'objection';
import { DeliveryModel } from '../models/delivery.ts';
import { IdempotencyKeyModel } from '../models/idempotency-key.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../models/session.ts';

/**
 * Deletes a session with all its content and notifies requests that wait for it. The ledger keeps its costs; a trigger erases
 * the providers' texts. Those of calls that end later are not stored: see `ProviderCallModel.close`. Returns the IDs of the workflows that the caller must
 * cancel, or undefined if the session does not exist.
 */
export async function eraseSession(id: string, trx?: TransactionOrKnex): Promise<string[] | undefined> {
  if (!trx) return SessionModel.transaction((own) => eraseSession(id, own));
  const deliveries = await DeliveryModel.query(trx).select('workflow_id').where({ session_id: id, status: 'pending' });
  const [erased] = await SessionModel.query(trx)
    .delete()
    .where({ id })
    .returning(SessionModel.raw('completed_at, pg_notify(?, id)', SESSION_FINISHED_CHANNEL));
  await IdempotencyKeyModel.free(id, trx);
  const own = erased?.completed_at === null ? [id] : [];
  return erased && [...new Set([...own, ...deliveries.map(({ workflow_id }) => workflow_id)])];
}
