/** Removes expired sessions, keys, batches and audit events. */
import { isDatabaseUnavailable } from '../../db/connect.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { SessionChangeModel } from '../../db/models/session-change.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { findExpiredSessions, type ExpiredSession } from '../../db/queries/expired-sessions.ts';
import { sessionRemoved } from '../../runtime/telemetry/events.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { removeSession, type RemoveSessionDeps } from '../sessions/remove-session.ts';

export interface RemoveExpiredSessionsDeps extends RemoveSessionDeps {
  /** Days that a session is kept after its end, unless its assistant sets fewer; 0: forever. */
  sessionRetentionDays: number;
  log: Log;
}

/** Returns the activity that removes expired sessions and tests of webhooks. If it is interrupted, the next sweep continues. */
export function createRemoveExpiredSessions(deps: RemoveExpiredSessionsDeps) {
  return async function removeExpiredSessions() {
    // `kept`: sessions that could not be removed. The next sweep retries.
    const report = { removed: 0, kept: 0 };
    for await (const batch of findExpiredSessions(deps.sessionRetentionDays)) {
      for (const outcome of await Promise.all(batch.map(remove))) if (outcome) report[outcome] += 1;
    }
    await DeliveryModel.removeExpiredTests(deps.sessionRetentionDays);
    if (report.removed > 0) deps.log.info(report, 'removed expired sessions');
    return report;
  };

  async function remove(session: ExpiredSession): Promise<'removed' | 'kept' | undefined> {
    try {
      if (!(await removeSession(deps, session))) return undefined;
      sessionRemoved.publish({ reason: 'retention' });
      return 'removed';
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      deps.log.error({ err, session_id: session.id }, 'could not remove an expired session');
      return 'kept';
    }
  }
}

/** Removes expired idempotency keys, batches, audit events and notes of deletions, closes calls of deleted sessions, and records lost audit events. Returns the removed rows. */
export async function removeExpiredRows(): Promise<number> {
  await ProviderCallModel.closeAbandoned();
  await AuditEventModel.recordLost();
  const removed = [
    IdempotencyKeyModel.removeExpired(),
    BatchModel.removeExpired(),
    AuditEventModel.removeExpired(),
    SessionChangeModel.removeExpired(),
  ];
  return (await Promise.all(removed)).reduce((sum, count) => sum + count, 0);
}
