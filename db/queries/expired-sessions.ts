/** Ended sessions that have been kept as long as they are to be: docs/decisions.md, "Retention". */
import { SessionModel } from '../models/session.ts';

export type ExpiredSession = Pick<SessionModel, 'id' | 'type'> & { completed_at: Date };

/** Sessions of a batch, which are removed at once, and assistants that are read at once. */
const SESSIONS = 10;
const ASSISTANTS = 500;

/** How long the sessions of one assistant stay, where it says so itself; it may be deleted by now. */
interface AssistantRetention {
  id: string;
  retention_days: number;
}

/**
 * Yields the sessions whose time is over, some at a time, those of a bound in the order of their ends. A session that is
 * under way has no end and is never among them.
 * @param installationDays bound for all sessions; 0 for none.
 */
export async function* findExpiredSessions(installationDays: number): AsyncGenerator<ExpiredSession[]> {
  if (installationDays > 0) yield* findEndedBefore(installationDays);
  for await (const { id, retention_days } of findRetentions()) yield* findEndedBefore(retention_days, id);
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

async function* findRetentions(): AsyncGenerator<AssistantRetention> {
  for (let last = ''; ;) {
    const { rows } = await SessionModel.knex().raw<{ rows: AssistantRetention[] }>(
      `select id, retention_days from assistants where retention_days is not null and id > :last
       union all select id, retention_days from deleted_assistants where id > :last
       order by id limit :limit`,
      { last, limit: ASSISTANTS },
    );
    yield* rows;
    if (rows.length < ASSISTANTS) return;
    last = rows.at(-1)?.id ?? '';
  }
}
