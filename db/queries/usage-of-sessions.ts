import { VendorCallModel } from '../models/vendor-call.ts';
import type { Sessions } from './filter-sessions.ts';

/** What the analyses of some sessions used, per session. */
export interface AnalysisUsage {
  input_tokens: number;
  output_tokens: number;
  /** Of the session in which the answers were longer than in 95 of 100. */
  long_output_tokens: number;
  /** Characters of the settings that they were made with, and their fields. */
  settings_bytes: number;
  fields: number;
  /** The vendor of most of them. */
  llm_provider: string;
}

/** Returns what sessions used in the mean, as the ledger says; undefined if none of them was analyzed. */
export async function findMeanUsage(sessions: Sessions): Promise<AnalysisUsage | undefined> {
  const { rows } = await VendorCallModel.knex().raw<{ rows: (AnalysisUsage | { input_tokens: null })[] }>(
    `with used as (
       select session_id, sum((usage ->> 'input_tokens')::float) as input, sum((usage ->> 'output_tokens')::float) as output
       from vendor_calls where step = 'analysis' and status = 'succeeded' and session_id in (?) group by session_id)
     select round(avg(input)) as input_tokens, round(avg(output)) as output_tokens,
       round(percentile_cont(0.95) within group (order by output)) as long_output_tokens,
       avg(octet_length(assistant::text)) as settings_bytes,
       avg(coalesce(json_array_length(assistant -> 'fields'), 0)) as fields,
       mode() within group (order by assistant ->> 'llm_provider') as llm_provider
     from used join sessions on sessions.id = used.session_id where input is not null and output is not null`,
    [sessions.toKnexQuery()],
  );
  const [found] = rows;
  return found === undefined || found.input_tokens === null ? undefined : found;
}
