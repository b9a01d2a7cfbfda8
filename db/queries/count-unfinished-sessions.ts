import { SessionModel } from '../models/session.ts';

/** How many sessions have not ended, and since when the first of them is queued, by status. */
export async function countUnfinishedSessions() {
  return SessionModel.query()
    .select('status')
    .select(SessionModel.raw('count(*)::int as count, extract(epoch from now() - min(queued_at))::float8 as oldest_s'))
    .whereIn('status', ['queued', 'transcribing', 'analyzing'])
    .groupBy('status')
    .castTo<{ status: string; count: number; oldest_s: number }[]>();
}
