import { AuditEventModel } from '../../db/models/audit-event.ts';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';

/** Removes rows whose time is over, and releases what calls of deleted sessions reserved. Returns how many rows went. */
export async function removeExpiredRows(): Promise<number> {
  await VendorCallModel.closeAbandoned();
  return (await IdempotencyKeyModel.removeExpired()) + (await AuditEventModel.removeExpired());
}
