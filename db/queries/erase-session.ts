import type { TransactionOrKnex } from 'objection';
import { DeliveryModel } from '../models/delivery.ts';
import { IdempotencyKeyModel } from '../models/idempotency-key.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../models/session.ts';
import { VendorCallModel } from '../models/vendor-call.ts';

/**
 * Deletes a session with all that was said in it, and tells those who wait for it; what it cost stays in the ledger. A
 * call that is answered later leaves nothing either: see the trigger on `vendor_calls`. Returns the ids of the workflows
 * that worked on it and its deliveries, for the caller to cancel; undefined if the session was gone before.
 */
export async function eraseSession(id: string, trx?: TransactionOrKnex): Promise<string[] | undefined> {
  if (!trx) return SessionModel.transaction((own) => eraseSession(id, own));
  const deliveries = await DeliveryModel.query(trx).select('workflow_id').where({ session_id: id, status: 'pending' });
  const [erased] = await SessionModel.query(trx)
    .delete()
    .where({ id })
    .returning(SessionModel.raw('completed_at, pg_notify(?, id)', SESSION_FINISHED_CHANNEL));
  await VendorCallModel.eraseVendorResponses(id, trx);
  await IdempotencyKeyModel.free(id, trx);
  const own = erased?.completed_at === null ? [id] : [];
  return erased && [...new Set([...own, ...deliveries.map(({ workflow_id }) => workflow_id)])];
}
