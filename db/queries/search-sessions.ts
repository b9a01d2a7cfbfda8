/**
 * Finds sessions by their words, newest first. The index of words has no order, and takes long over a word that is in
 * every session. So the words of the newest sessions are read first, which is enough for such a word; the index finds
 * rare ones.
 */
import { toPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { filterSessions } from './filter-sessions.ts';
import type { SessionFilter, Sessions } from './filter-sessions.ts';
import type { SessionModel } from '../models/session.ts';

/** Sessions whose words are read, for each one that fits on the page. */
const LOOKED_AT = 1.2;

export interface SessionSearch {
  userId: string;
  /** The query as a person writes it into a web search: words, "phrases", or, -not. */
  q: string;
  filter: SessionFilter;
}

/**
 * Returns one page of the sessions that match.
 * @param select returns a new query with the columns of the list.
 */
export async function searchSessions(
  select: () => Sessions,
  { userId, q, filter }: SessionSearch,
  { limit, cursor }: PageRequest & { limit: number },
): Promise<Page<SessionModel>> {
  const asked = withoutRepeatedNot(q);
  const lookedAt = Math.ceil(limit * LOOKED_AT);
  const newest = await filterSessions(select().clearSelect().select('id'), userId, filter, { before: cursor })
    .orderBy('id', 'desc')
    .limit(lookedAt);
  const ids = newest.map(({ id }) => id);
  const rows = await select()
    .whereRaw(AMONG, [ids, asked, asked])
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (rows.length > limit || ids.length < lookedAt) return toPage(rows, limit);
  const older = filterSessions(select(), userId, filter, { before: ids.at(-1) });
  const rest = whereHasWords(older, userId, q)
    .orderBy('id', 'desc')
    .limit(limit + 1 - rows.length);
  return toPage([...rows, ...(await rest)], limit);
}

/** Narrows a query to the sessions that the index of words finds, in no order. */
export function whereHasWords(query: Sessions, userId: string, q: string): Sessions {
  return query
    .joinRaw('join session_words on session_words.session_id = sessions.id')
    .whereRaw(FOUND, [withoutRepeatedNot(q), userId, withoutRepeatedNot(q)]);
}

const withoutRepeatedNot = (q: string) => q.replaceAll(REPEATED_NOT, '');

/** Holds if the query has a word in it; one without finds nothing. */
const HAS_WORDS = "numnode(websearch_to_tsquery('simple', ?)) > 0";

const AMONG = `sessions.id in (
  select session_id from session_words
  where session_id = any(?) and words @@ websearch_to_tsquery('simple', ?) and ${HAS_WORDS}
)`;

const FOUND = `words @@ (websearch_to_tsquery('simple', ?) && quote_literal(?)::tsquery) and ${HAS_WORDS}`;

/** Matches repeated negations: PostgreSQL 18 fails ("tsquery stack too small") on 32 in a row. */
const REPEATED_NOT = /(?<![\p{L}\p{M}\p{N}])-(?=[^\p{L}\p{M}\p{N}]*-)/gu;
