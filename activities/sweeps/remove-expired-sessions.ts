import { isDatabaseUnavailable } from '../../db/connect.ts';
import { findExpiredSessions } from '../../db/queries/expired-sessions.ts';
import type { ExpiredSession } from '../../db/queries/expired-sessions.ts';
import { sessionRemoved } from '../../runtime/telemetry/events.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { removeSession } from '../sessions/remove-session.ts';
import type { RemoveSessionDeps } from '../sessions/remove-session.ts';

export interface RemoveExpiredSessionsDeps extends RemoveSessionDeps {
  /** Days that a session stays after its end, unless its assistant says less; 0: for ever. */
  sessionRetentionDays: number;
  log: Log;
}

export interface SessionRemovalReport {
  removed: number;
  /** Sessions that could not be removed now; the next sweep tries again. */
  kept: number;
}

/**
 * Returns the activity that removes the sessions whose time is over. What it removed is gone, so a sweep that was cut
 * short is continued by the next one; a session that cannot be removed stops no other.
 */
export function createRemoveExpiredSessions(deps: RemoveExpiredSessionsDeps) {
  return async function removeExpiredSessions(): Promise<SessionRemovalReport> {
    const report: SessionRemovalReport = { removed: 0, kept: 0 };
    for await (const batch of findExpiredSessions(deps.sessionRetentionDays)) {
      await Promise.all(batch.map((session) => remove(session, report)));
    }
    if (report.removed > 0) deps.log.info(report, 'removed sessions whose time was over');
    return report;
  };

  async function remove(session: ExpiredSession, report: SessionRemovalReport): Promise<void> {
    try {
      if (!(await removeSession(deps, session))) return;
      report.removed += 1;
      sessionRemoved.tell({ reason: 'retention' });
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      report.kept += 1;
      deps.log.error({ err, session_id: session.id }, 'a session whose time is over could not be removed');
    }
  }
}
