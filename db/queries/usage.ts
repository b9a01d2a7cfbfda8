/** Sums the provider calls, including those of deleted sessions. */
import type { Period, UsageGroup, UsageReport, UsageRow } from '../../contract/service/usage.ts';
import { isMetadataGroup } from '../../contract/values/metadata-group.ts';
import { inSnapshot, readRows } from '../statements.ts';
import { groupByMetadata } from './group-by-metadata.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';

/** Columns of the response for each group, and the expressions behind them. */
const columnsOf = (group: UsageGroup): (keyof UsageRow)[] => {
  if (group === 'assistant') return ['assistant_id'];
  return isMetadataGroup(group) ? ['group', 'others'] : [group];
};

const CALLS = `from provider_calls call
  %join sessions session on session.id = call.session_id and session.workspace_id = call.workspace_id
  where call.workspace_id = :workspaceId
    and call.started_at >= (:from::date)::timestamp at time zone :timezone
    and call.started_at < (:to::date + 1)::timestamp at time zone :timezone`;

/** Returns rows and totals, or undefined if there are more than `maxRows` rows. One statement, so that they agree. */
export function findUsage(
  workspaceId: string,
  { from, to, timezone }: Period & { timezone: string },
  groups: readonly UsageGroup[],
  maxRows: number,
): Promise<Pick<UsageReport, 'data' | 'totals'> | undefined> {
  const columns = groups.flatMap(columnsOf).map((name) => `"${name}"`);
  const group = groups.find(isMetadataGroup);
  return inSnapshot(async (trx) => {
    const period = { workspaceId, from, to, timezone };
    const metadata = await groupByMetadata(trx, group, CALLS.replace('%', ''), period);
    const rows = await readRows<(UsageRow & { is_total: boolean })[]>(
      `select ${columns.join(', ')}, grouping(${columns.join(', ')}) > 0 as is_total,
         count(distinct session_id)::int as sessions, count(*)::int as calls,
         coalesce(sum((usage->>'audio_seconds')::float8), 0) as audio_seconds,
         coalesce(sum((usage->>'input_tokens')::float8), 0) as input_tokens,
         coalesce(sum((usage->>'output_tokens')::float8), 0) as output_tokens,
         coalesce(sum(cost_usd), 0) as cost_usd, coalesce(bool_and(cost_usd is not null), true) as cost_known
       from (
         select call.*, to_char(call.started_at at time zone :timezone, 'YYYY-MM-DD') as day, ${metadata.columns}
         ${group ? CALLS.replace('%', 'left ') : CALLS.replace(/%join.*/, '')}) call
       group by grouping sets ((${columns.join(', ')}), ())
       order by is_total desc, ${columns.map((_, index) => index + 1).join(', ')}
       limit :limit`,
      { ...metadata.bindings, limit: maxRows + 2 },
      trx,
    );
    const [totals, ...data] = rows.map(({ is_total: _, cost_usd, ...row }) => ({
      ...row,
      cost_usd: roundUsd(cost_usd),
    }));
    return totals === undefined || data.length > maxRows ? undefined : { data, totals };
  });
}
