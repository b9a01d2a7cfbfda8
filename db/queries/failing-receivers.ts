import { Model } from 'objection';
import { MAX_RECEIVERS, type FailingReceiver } from '../../contract/service/stats.ts';
import type { StatsQuery } from './stats.ts';

/** Returns the hosts with failed or retrying deliveries of the period, most failures first. */
export async function findFailingReceivers(
  query: Pick<StatsQuery, 'workspaceId' | 'from' | 'to'>,
): Promise<FailingReceiver[]> {
  const { rows } = await Model.knex().raw<{ rows: FailingReceiver[] }>(
    `select host, count(*) filter (where status = 'failed')::int as failed,
       count(*) filter (where status = 'pending')::int as retrying,
       (array_agg(failure order by started_at desc))[1] as last_failure,
       (array_agg(status_code order by started_at desc))[1] as last_status_code,
       array_agg(distinct assistant_id) as assistant_ids
     from (
       select delivery.status, delivery.assistant_id, last.failure, last.status_code, last.started_at,
         split_part(split_part(last.url, '://', 2), '/', 1) as host
       from deliveries delivery
       cross join lateral (
         select failure, status_code, started_at, url from delivery_attempts attempt
         where attempt.delivery_id = delivery.id and failure is not null order by attempt desc limit 1
       ) as last
       where workspace_id = :workspaceId and created_at >= :from and created_at < :to
         and status in ('failed', 'pending')
     ) as failing
     group by host order by count(*) desc, host limit ${MAX_RECEIVERS}`,
    query,
  );
  return rows;
}
