/** Sessions whose retention has expired: docs/settings.md. */
import { AssistantModel } from '../models/assistant.ts';
import { SessionModel } from '../models/session.ts';
import { inBatches } from '../page.ts';

export type ExpiredSession = Pick<SessionModel, 'id' | 'type'> & { completed_at: Date };

/** Number of sessions that are removed at once. */
const SESSIONS = 10;

/**
 * Yields expired sessions in batches. Unfinished sessions never expire.
 * @param installationDays retention of all sessions; 0: none.
 */
export async function* findExpiredSessions(installationDays: number): AsyncGenerator<ExpiredSession[]> {
  if (installationDays > 0) yield* findEndedBefore(installationDays);
  const retentions = inBatches(() =>
    AssistantModel.query().select('id', 'retention_days').whereNotNull('retention_days'),
  );
  for await (const { id, retention_days } of retentions) yield* findEndedBefore(Number(retention_days), id);
}

async function* findEndedBefore(days: number, assistant_id?: string): AsyncGenerator<ExpiredSession[]> {
  for (let last: ExpiredSession | undefined; ;) {
    const query = SessionModel.query()
      .select('id', 'type', 'completed_at')
      .whereRaw("completed_at < now() - ? * interval '1 day'", days)
      .orderBy(['completed_at', 'id'])
      .limit(SESSIONS);
    if (assistant_id !== undefined) query.where({ assistant_id });
    if (last) query.whereRaw('(completed_at, id) > (?, ?)', [last.completed_at, last.id]);
    const batch: ExpiredSession[] = await query.castTo<ExpiredSession[]>();
    yield batch;
    if (batch.length < SESSIONS) return;
    last = batch.at(-1);
  }
}
