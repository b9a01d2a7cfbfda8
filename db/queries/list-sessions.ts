import type { IncludedMember } from '../../contract/sessions/session-filter.ts';
import type { SessionSort, ValueSource } from '../../contract/values/session-lists.ts';
import type { SessionListItem } from '../../contract/sessions/sessions.ts';
import { SESSION_REVIEW } from '../models/session-review.ts';
import { SessionModel } from '../models/session.ts';
import { countUpTo, findPage, type Page, type PageRequest } from '../page.ts';
import { filterSessions, type SessionFilter, type Sessions } from './filter-sessions.ts';
import { searchSessions, whereHasWords } from './search-sessions.ts';
import { shuffleSessions, sortSessions } from './sort-sessions.ts';

export type ListedFilter = SessionFilter & { q?: string | undefined };

export interface SessionPageRequest extends PageRequest {
  withFields?: boolean | undefined;
  /** Default: newest first. */
  sort?: SessionSort | undefined;
  /** Of the order `random`. */
  seed?: number | undefined;
}

/**
 * Returns a page of a workspace's sessions without the columns that can be megabytes.
 * @param withFields adds `fields` and `unverified_fields`.
 */
export function findSessionPage(
  workspaceId: string,
  listed: ListedFilter,
  { withFields = false, sort = '-created_at', ...page }: SessionPageRequest,
): Promise<Page<SessionModel>> {
  const select = () => {
    const added = [`${SESSION_REVIEW} as review`, ...(withFields ? columnsOf('fields', listed.values) : [])];
    return SessionModel.query()
      .select(LISTED_COLUMNS)
      .select(added.map((sql) => SessionModel.raw(sql)));
  };
  if (sort === 'random') {
    const matching = selectSessions(SessionModel.query().select('sessions.id'), workspaceId, listed);
    return shuffleSessions(select(), matching, page);
  }
  if (sort !== '-created_at')
    return sortSessions(selectSessions(select(), workspaceId, listed), workspaceId, sort, page);
  const { q, ...filter } = listed;
  if (q !== undefined) return searchSessions(select, { workspaceId, q, filter }, page);
  const range = page.cursor === undefined ? {} : { before: page.cursor };
  return findPage(filterSessions(select(), workspaceId, filter, range), page);
}

/** Counts the sessions of a filter, at most `most`. */
export const countSessions = (workspaceId: string, filter: ListedFilter, most: number): Promise<number> =>
  countUpTo(selectSessions(SessionModel.query().select('sessions.id'), workspaceId, filter), most);

/** Narrows a query to the sessions of a filter. */
export function selectSessions(query: Sessions, workspaceId: string, { q, ...filter }: ListedFilter): Sessions {
  const matching = filterSessions(query, workspaceId, filter);
  return q === undefined ? matching : whereHasWords(matching, workspaceId, q);
}

export const LISTED_COLUMNS = [
  'id',
  'assistant_id',
  'type',
  'status',
  'summary_text',
  'metadata',
  'source_session_id',
  'first_session_id',
  'batch_id',
  'trial',
  'simulated',
  'temperature_applied',
  'field_encoding',
  'assistant_version',
  'error',
  'created_at',
  'occurred_at',
  'completed_at',
  'waiting',
  'answered_by',
  'created_by',
  'assistant_name',
  'llm_model',
  'language',
  'audio_duration_s',
  'turn_count',
];

const OF_REVIEW = 'from session_reviews review where review.session_id = sessions.id';

/** Without fields, the model's own JSON may contain these keys. */
const fieldsOf = (fields: string, condition = '') => [
  `case when field_encoding is not null then ${fields} end as fields`,
  `case when field_encoding is not null then array(
     select key from jsonb_each(raw_response->'evidence') where value->>'verified' = 'false' ${condition}
   ) end as unverified_fields`,
];

const DECIDED = fieldsOf(
  `(raw_response->'fields') || coalesce((select answers ${OF_REVIEW}), '{}')`,
  `and not exists (select ${OF_REVIEW} and answers -> key is not null)`,
);

const columnsOf = (name: IncludedMember, values: ValueSource = 'model') =>
  name === 'fields' && values === 'reviewed' ? DECIDED : INCLUDED[name];

const INCLUDED: Record<IncludedMember, string[]> = {
  fields: fieldsOf(`raw_response->'fields'`),
  review: [
    `(select answers ${OF_REVIEW}) as reviewed_fields`,
    `(select json_build_object('summary_text', review.summary_text, 'note', note, 'turn_notes', turn_notes) ${OF_REVIEW}) as review_details`,
  ],
  conversation: ['conversation'],
  raw_response: ['raw_response'],
};

type Included = Pick<SessionListItem, 'fields' | 'unverified_fields' | 'reviewed_fields' | 'review_details'> &
  Partial<Pick<SessionModel, 'conversation'>>;

/** Bytes of content that one statement reads. */
const READ_BYTES = 500_000;

/** Content with more stored bytes is read alone. Only small content is measured, because that decompresses it. */
const MEASURED_BYTES = 16_384;

const storedBytes = (column: string) => `coalesce(pg_column_size(${column}), 0)`;
const textBytes = (column: string) => `coalesce(octet_length(cast(${column} as text)), 0)`;

const BYTES = `case
  when ${storedBytes('conversation')} + ${storedBytes('raw_response')} > ${MEASURED_BYTES} then ${READ_BYTES}
  else ${textBytes('conversation')} + ${textBytes('raw_response')}
    + coalesce((select ${textBytes('review')} ${OF_REVIEW}), 0)
end as bytes`;

/** Yields members of each session that can be megabytes; undefined if the session was deleted. Reads as many at once as fit. */
export async function* eachIncluded(
  ids: readonly string[],
  include: readonly IncludedMember[],
  values?: ValueSource,
): AsyncGenerator<Included | undefined, undefined> {
  const sizes = await SessionModel.query()
    .select('id', SessionModel.raw(BYTES))
    .whereIn('id', [...ids])
    .castTo<{ id: string; bytes: number }[]>();
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  const columns = include.flatMap((name) => columnsOf(name, values)).map((sql) => SessionModel.raw(sql));
  for (let start = 0; start < ids.length;) {
    let end = start + 1;
    for (let bytes = bytesOf.get(ids[start] ?? '') ?? 0; end < ids.length; end++) {
      bytes += bytesOf.get(ids[end] ?? '') ?? 0;
      if (bytes > READ_BYTES) break;
    }
    const rows = await SessionModel.query()
      .select('id', ...columns)
      .whereIn('id', ids.slice(start, end))
      .castTo<(Included & { id: string })[]>();
    const found = new Map(rows.map(({ id, ...included }) => [id, included]));
    for (; start < end; start++) yield found.get(ids[start] ?? '');
  }
}
