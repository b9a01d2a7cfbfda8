import { SessionModel } from '../models/session.ts';

/** The sessions of one user that wait for their turn. */
export interface OwnQueue {
  waiting: number;
  /** Since when the first of them waits. */
  oldest: Date | null;
}

/** Returns the user's queue, from the index of the rarer statuses. */
export async function findOwnQueue(userId: string): Promise<OwnQueue> {
  const { rows } = await SessionModel.knex().raw<{ rows: [OwnQueue] }>(
    `select count(*)::int as waiting, min(queued_at) as oldest
     from sessions where user_id = :userId and status = 'queued'`,
    { userId },
  );
  return rows[0];
}
