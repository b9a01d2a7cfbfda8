import { SessionModel } from '../models/session.ts';
import { findPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { filterSessions } from './filter-sessions.ts';
import type { SessionFilter } from './filter-sessions.ts';
import { searchSessions } from './search-sessions.ts';

export type ListedFilter = SessionFilter & { q?: string | undefined };

/**
 * Returns one page of a user's sessions, the newest first, without the columns that can be megabytes.
 * @param withFields the answers to fields are read out of one of these.
 */
export function findSessionPage(
  userId: string,
  { q, ...filter }: ListedFilter,
  { withFields = false, ...page }: PageRequest & { withFields?: boolean | undefined },
): Promise<Page<SessionModel>> {
  const select = () => {
    const query = SessionModel.query().select(LISTED_COLUMNS);
    return withFields ? query.select(ANSWERS.map((sql) => SessionModel.raw(sql))) : query;
  };
  if (q !== undefined) return searchSessions(select, { userId, q, filter }, page);
  const range = page.cursor === undefined ? {} : { before: page.cursor };
  return findPage(filterSessions(select(), userId, filter, range), page);
}

const LISTED_COLUMNS = [
  ...['id', 'assistant_id', 'type', 'status', 'summary_text', 'metadata', 'source_session_id', 'batch_id', 'trial'],
  ...['simulated', 'temperature_applied', 'field_encoding', 'assistant_version', 'error', 'created_at', 'completed_at'],
  ...['waiting_for_provider', 'waiting_since', 'waiting_reason', 'answered_by'],
  ...['assistant_name', 'llm_model', 'language', 'audio_duration_s', 'turn_count'],
];

/** What an assistant without fields makes a model answer may be called the same. */
const ANSWERS = [
  `case when field_encoding is not null then raw_response->'fields' end as fields`,
  `case when field_encoding is not null then array(
     select key from json_each(raw_response->'evidence') where value->>'verified' = 'false'
   ) end as unverified_fields`,
];
