import { SessionModel } from '../../db/models/session.ts';
import { removeSession } from '../sessions/remove-session.ts';
import type { RemoveSessionDeps } from '../sessions/remove-session.ts';

/** Sessions that are removed at once. */
const AT_ONCE = 10;

/**
 * Removes sessions that a batch is to delete, some of an earlier step among them: it may have been cut short. One that
 * changed since it was read stays for the next step.
 */
export async function removeItems(deps: RemoveSessionDeps, batchId: string, limit: number): Promise<void> {
  const sessions = await SessionModel.query()
    .select('sessions.id', 'type', 'completed_at')
    .joinRaw('join batch_items item on item.session_id = sessions.id')
    .joinRaw("join batches on batches.id = item.batch_id and batches.action = 'delete'")
    .where('item.batch_id', batchId)
    .whereNull('item.outcome')
    .limit(limit);
  for (let from = 0; from < sessions.length; from += AT_ONCE) {
    await Promise.all(sessions.slice(from, from + AT_ONCE).map((session) => removeSession(deps, session)));
  }
}
