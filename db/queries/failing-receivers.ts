import { MAX_RECEIVERS, type FailingReceiver } from '../../contract/service/stats.ts';
import { SENT_LATER } from './batch-sources.ts';
import type { StatsQuery } from './stats.ts';
import { readRows, type RowOf } from '../statements.ts';

/**
 * Returns the hosts with open failures: deliveries of the period that failed or are being retried, and whose payload was not
 * sent again later. Also returns hosts that accepted a delivery in the last day after a failure. Most open failures first.
 * Tests of a webhook and reports of failed deliveries count only when they are accepted.
 */
export const findFailingReceivers = (
  query: Pick<StatsQuery, 'workspaceId' | 'from' | 'to'>,
): Promise<RowOf<FailingReceiver>[]> =>
  readRows(
    `with tried as materialized (
       select deliveries.id, deliveries.status, deliveries.assistant_id, deliveries.next_attempt_at, failure, status_code, started_at,
         split_part(split_part(url, '://', 2), '/', 1) as host,
         row_number() over (partition by deliveries.id order by attempt desc) = 1
           and failure is not null and status in ('failed', 'pending') and event not in ('webhook.test', 'delivery.failed')
           and not exists (select from deliveries later where ${SENT_LATER}) as is_open
       from deliveries join delivery_attempts on delivery_id = deliveries.id
       where workspace_id = :workspaceId and created_at >= :from and created_at < :to and outcome is not null
     ), failing as (
       select host, max(started_at) as failed_until,
         (array_agg(failure order by started_at desc))[1] as last_failure,
         (array_agg(status_code order by started_at desc))[1] as last_status_code,
         count(*) filter (where is_open and status = 'failed')::int as failed,
         count(*) filter (where is_open and status = 'pending')::int as retrying,
         min(next_attempt_at) filter (where is_open and status = 'pending') as next_attempt_at,
         coalesce(array_agg(distinct assistant_id) filter (where is_open), '{}') as assistant_ids
       from tried where failure is not null group by host
     )
     select failing.*,
       (select min(started_at) from tried where host = failing.host and failure is null and started_at > failed_until) as accepted_since,
       (select min(started_at) from tried where host = failing.host and failure is not null and started_at > coalesce(
         (select max(started_at) from tried where host = failing.host and failure is null and started_at < failed_until), '-infinity'
       )) as failing_since
     from failing
     where failed + retrying > 0
       or exists (select from tried where host = failing.host and failure is null and started_at > failed_until and started_at > now() - interval '1 day')
     order by failed + retrying desc, host limit ${MAX_RECEIVERS}`,
    query,
  );
