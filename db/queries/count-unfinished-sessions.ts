import { SessionModel } from '../models/session.ts';

/** Counts unfinished sessions by status; `oldest_s` is how many seconds ago the oldest was queued. */
export async function countUnfinishedSessions() {
  return SessionModel.query()
    .select('status')
    .select(SessionModel.raw('count(*)::int as count, extract(epoch from now() - min(queued_at))::float8 as oldest_s'))
    .whereIn('status', ['queued', 'transcribing', 'analyzing'])
    .groupBy('status')
    .castTo<{ status: string; count: number; oldest_s: number }[]>();
}
