import type { Sessions } from './filter-sessions.ts';
import { readRows } from '../statements.ts';

/** Mean usage of one session's analysis. */
export interface AnalysisUsage {
  input_tokens: number;
  output_tokens: number;
  /** 95th percentile of the output tokens. */
  long_output_tokens: number;
  /** Size of the settings in bytes, as compact JSON without nulls. */
  settings_bytes: number;
  fields: number;
  /** The most frequent provider. */
  llm_provider: string;
}

/** Returns the mean usage of the sessions, or undefined if none was analyzed. */
export async function findMeanUsage(sessions: Sessions): Promise<AnalysisUsage | undefined> {
  const found = await readMeanUsage(`select id, 'all' as key from (?) as chosen`, [sessions.toKnexQuery()]);
  return found.get('all');
}

/** Returns the mean usage of the latest completed sessions of each assistant, by assistant ID. */
export function findUsageOfAssistants(
  workspaceId: string,
  assistantIds: readonly string[],
  sessionsOfEach: number,
): Promise<Map<string, AnalysisUsage>> {
  const latest = `select id from sessions where workspace_id = ? and assistant_id = asked.key and status = 'completed'
    order by id desc limit ?`;
  return readMeanUsage(
    `select latest.id, asked.key from unnest(?::text[]) as asked (key) cross join lateral (${latest}) as latest`,
    [[...assistantIds], workspaceId, sessionsOfEach],
  );
}

/** @param chosen selects `id` of sessions and the `key` of their group. */
async function readMeanUsage(
  chosen: string,
  bindings: (string | number | string[] | ReturnType<Sessions['toKnexQuery']>)[],
): Promise<Map<string, AnalysisUsage>> {
  const rows = await readRows<(AnalysisUsage & { key: string })[]>(
    `with chosen as (${chosen}), used as (
       select key, session_id, sum((usage ->> 'input_tokens')::float) as input, sum((usage ->> 'output_tokens')::float) as output
       from chosen join provider_calls on session_id = chosen.id
       where step = 'analysis' and provider_calls.status = 'succeeded' group by key, session_id)
     select key, round(avg(input)) as input_tokens, round(avg(output)) as output_tokens,
       round(percentile_cont(0.95) within group (order by output)) as long_output_tokens,
       avg(octet_length(json_strip_nulls(assistant::json)::text)) as settings_bytes,
       avg(coalesce(jsonb_array_length(assistant -> 'fields'), 0)) as fields,
       mode() within group (order by assistant ->> 'llm_provider') as llm_provider
     from used join sessions on sessions.id = used.session_id where input is not null and output is not null group by key`,
    bindings,
  );
  return new Map(rows.map(({ key, ...usage }) => [key, usage]));
}
