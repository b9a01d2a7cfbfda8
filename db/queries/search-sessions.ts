/**
 * Full-text search, newest first. The index is unordered, and slow for words that many sessions contain. So the newest
 * sessions are checked first, which is enough for frequent words. The index finds rare words.
 */
import { toPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { filterSessions } from './filter-sessions.ts';
import type { SessionFilter, Sessions } from './filter-sessions.ts';
import type { SessionModel } from '../models/session.ts';

/** Number of sessions to check, per row of the page. */
const LOOKED_AT = 1.2;

interface SessionSearch {
  workspaceId: string;
  /** In web search syntax: words, "phrases", or, -not. */
  q: string;
  filter: SessionFilter;
}

/**
 * Returns a page of matching sessions.
 * @param select returns a new query with the columns of the list.
 */
export async function searchSessions(
  select: () => Sessions,
  { workspaceId, q, filter }: SessionSearch,
  { limit, cursor }: PageRequest & { limit: number },
): Promise<Page<SessionModel>> {
  const asked = withoutRepeatedNot(q);
  const lookedAt = Math.ceil(limit * LOOKED_AT);
  const newest = await filterSessions(select().clearSelect().select('id'), workspaceId, filter, { before: cursor })
    .orderBy('id', 'desc')
    .limit(lookedAt);
  const ids = newest.map(({ id }) => id);
  const rows = await select()
    .whereRaw(AMONG, [ids, asked, asked])
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (rows.length > limit || ids.length < lookedAt) return toPage(rows, limit, idOf);
  const older = filterSessions(select(), workspaceId, filter, { before: ids.at(-1) });
  const rest = whereHasWords(older, workspaceId, q)
    .orderBy('id', 'desc')
    .limit(limit + 1 - rows.length);
  return toPage([...rows, ...(await rest)], limit, idOf);
}

/** Filters a query with the full-text index. */
export function whereHasWords(query: Sessions, workspaceId: string, q: string): Sessions {
  return query
    .joinRaw('join session_words on session_words.session_id = sessions.id')
    .whereRaw(FOUND, [withoutRepeatedNot(q), workspaceId, withoutRepeatedNot(q)]);
}

const idOf = ({ id }: SessionModel) => id;

const withoutRepeatedNot = (q: string) => q.replaceAll(REPEATED_NOT, '');

/** A query without words finds nothing. */
const HAS_WORDS = "numnode(websearch_to_tsquery('simple', ?)) > 0";

const AMONG = `sessions.id in (
  select session_id from session_words
  where session_id = any(?) and words @@ websearch_to_tsquery('simple', ?) and ${HAS_WORDS}
)`;

const FOUND = `words @@ (websearch_to_tsquery('simple', ?) && quote_literal(?)::tsquery) and ${HAS_WORDS}`;

/** Matches repeated negations: PostgreSQL 18 fails ("tsquery stack too small") on 32 in a row. */
const REPEATED_NOT = /(?<![\p{L}\p{M}\p{N}])-(?=[^\p{L}\p{M}\p{N}]*?-)/gu;
