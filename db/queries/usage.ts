/** Sums the provider calls, including those of deleted sessions. */
import type { Period, UsageGroup, UsageReport, UsageRow } from '../../contract/service/usage.ts';
import { ProviderCallModel } from '../models/provider-call.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';

/** Column of the response and SQL expression of each group. */
const GROUPS: Record<UsageGroup, { column: keyof UsageRow; expression: string }> = {
  day: { column: 'day', expression: 'day' },
  assistant: { column: 'assistant_id', expression: 'assistant_id' },
  provider: { column: 'provider', expression: 'provider' },
  model: { column: 'model', expression: 'model' },
};

/** Returns rows and totals, or undefined if there are more than `maxRows` rows. One statement, so that they agree. */
export async function findUsage(
  workspaceId: string,
  { from, to, timezone }: Period & { timezone: string },
  groups: readonly UsageGroup[],
  maxRows: number,
): Promise<Pick<UsageReport, 'data' | 'totals'> | undefined> {
  const columns = groups.map((group) => `${GROUPS[group].expression} as ${GROUPS[group].column}`).join(', ');
  const expressions = groups.map((group) => GROUPS[group].expression).join(', ');
  const places = groups.map((_, index) => index + 1).join(', ');
  const { rows } = await ProviderCallModel.knex().raw<{ rows: (UsageRow & { is_total: boolean })[] }>(
    `select ${columns}, grouping(${expressions}) > 0 as is_total,
       count(distinct session_id)::int as sessions, count(*)::int as calls,
       coalesce(sum((usage->>'audio_seconds')::float8), 0) as audio_seconds,
       coalesce(sum((usage->>'input_tokens')::float8), 0) as input_tokens,
       coalesce(sum((usage->>'output_tokens')::float8), 0) as output_tokens,
       coalesce(sum(cost_usd), 0) as cost_usd, coalesce(bool_and(cost_usd is not null), true) as cost_known
     from (
       select *, to_char(started_at at time zone :timezone, 'YYYY-MM-DD') as day
       from provider_calls
       where workspace_id = :workspaceId
         and started_at >= (:from::date)::timestamp at time zone :timezone
         and started_at < (:to::date + 1)::timestamp at time zone :timezone) call
     group by grouping sets ((${expressions}), ())
     order by is_total desc, ${places}
     limit :limit`,
    { workspaceId, from, to, timezone, limit: maxRows + 2 },
  );
  const [totals, ...data] = rows.map(({ is_total: _, cost_usd, ...row }) => ({ ...row, cost_usd: roundUsd(cost_usd) }));
  return totals === undefined || data.length > maxRows ? undefined : { data, totals };
}
