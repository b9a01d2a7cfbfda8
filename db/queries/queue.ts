/** The queue of one workspace, and the state of the whole installation for metrics. */
import { UNFINISHED_SESSION_STATUSES } from '../../contract/values/constants.ts';
import type { ServiceInfo } from '../../contract/service/service.ts';
import { SessionModel } from '../models/session.ts';
import { WorkerModel } from '../models/worker.ts';
import { readRows, type RowOf } from '../statements.ts';

export interface OwnQueue {
  /** Number of queued sessions. */
  waiting: number;
  /** When the oldest of them entered the queue. */
  oldest: Date | null;
}

export async function findOwnQueue(workspaceId: string): Promise<OwnQueue> {
  const rows = await readRows<[OwnQueue]>(
    `select count(*)::int as waiting, min(queued_at) as oldest
     from sessions where workspace_id = :workspaceId and completed_at is null and status = 'queued'`,
    { workspaceId },
  );
  return rows[0];
}

/** Counts the sessions of a workspace that wait for a provider, by provider, with the fault of the session that waits longest. */
export function findWaiting(workspaceId: string): Promise<RowOf<ServiceInfo['waiting'][number]>[]> {
  return readRows(
    `select waiting ->> 'provider' as provider, (array_agg(waiting ->> 'reason' order by waiting ->> 'since'))[1] as reason,
       count(*)::int as sessions, min((waiting ->> 'since')::timestamptz) as since,
       min((waiting ->> 'next_try_at')::timestamptz) as next_try_at
     from sessions where workspace_id = :workspaceId and completed_at is null and waiting is not null
       -- Who chose half the price waits for capacity.
       and not (assistant -> 'economy' is not null and waiting ->> 'reason' = 'rate_limited')
     group by 1 order by 3 desc, 1`,
    { workspaceId },
  );
}

/** Counts all unfinished sessions by status. `oldest_s` is the age of the oldest one in seconds, since it was queued. */
async function countUnfinishedSessions() {
  const rows = await SessionModel.query()
    .select('status')
    .select(SessionModel.raw('count(*)::int as count, extract(epoch from now() - min(queued_at))::float8 as oldest_s'))
    .whereNull('completed_at')
    .groupBy('status')
    .castTo<{ status: string; count: number; oldest_s: number }[]>();
  return UNFINISHED_SESSION_STATUSES.map(
    (status) => rows.find((row) => row.status === status) ?? { status, count: 0, oldest_s: 0 },
  );
}

/** What the metrics read about the installation. */
export const installationSources = {
  findUnfinished: countUnfinishedSessions,
  countWorkers: () => WorkerModel.count(),
  findOpenCircuits: () => WorkerModel.findOpenCircuits(),
};
