import { UNFINISHED_SESSION_STATUSES } from '../../contract/constants.ts';
import { SessionModel } from '../models/session.ts';

/** Counts unfinished sessions by status, every one of them; `oldest_s` is how many seconds ago the oldest was queued. */
export async function countUnfinishedSessions() {
  const rows = await SessionModel.query()
    .select('status')
    .select(SessionModel.raw('count(*)::int as count, extract(epoch from now() - min(queued_at))::float8 as oldest_s'))
    .whereIn('status', [...UNFINISHED_SESSION_STATUSES])
    .groupBy('status')
    .castTo<{ status: string; count: number; oldest_s: number }[]>();
  return UNFINISHED_SESSION_STATUSES.map(
    (status) => rows.find((row) => row.status === status) ?? { status, count: 0, oldest_s: 0 },
  );
}
