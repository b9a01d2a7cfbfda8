/**
 * Finds sessions by their words, newest first. The index of the words knows no order: of a word that is in every session
 * it would give all of them, each from a place of its own. So the newest sessions are searched first, where the planner
 * may as well look at the words of each; what is in many sessions fills the page from there.
 */
import { decodeCursor, toPage } from './page.ts';
import type { Page, PageRequest } from './page.ts';
import { filterSessions } from './session-filter.ts';
import type { IdRange, SessionFilter, Sessions } from './session-filter.ts';
import type { SessionModel } from './models/session.ts';

const SEARCHED_FIRST = 100;

export interface SessionSearch {
  userId: string;
  /** As a person writes it into a web search: words, "phrases", or, -not. */
  q: string;
  filter: SessionFilter;
}

/** @param select gives a new query with the columns of the list. */
export async function searchSessions(
  select: () => Sessions,
  { userId, q, filter }: SessionSearch,
  { limit, cursor }: PageRequest & { limit: number },
): Promise<Page<SessionModel>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const oldestOfFirst = await filterSessions(select().clearSelect().select('id'), userId, filter, { range: { before } })
    .orderBy('id', 'desc')
    .offset(SEARCHED_FIRST - 1)
    .limit(1)
    .first();
  const from = oldestOfFirst?.id;
  const ranges: IdRange[] = from === undefined ? [{ before }] : [{ from, before }, { before: from }];
  const rows: SessionModel[] = [];
  for (const range of ranges) {
    const query = filterSessions(select(), userId, filter, { range, isNarrow: true });
    const wanted = limit + 1 - rows.length;
    rows.push(...(await findWords(query, userId, q).orderBy('id', 'desc').limit(wanted)));
    if (rows.length > limit) break;
  }
  return toPage(rows, limit);
}

/** A query without a word in it finds nothing. */
function findWords(query: Sessions, userId: string, q: string): Sessions {
  const words = q.replaceAll(REPEATED_NOT, '');
  return query
    .joinRaw('join session_words on session_words.session_id = sessions.id')
    .whereRaw(`words @@ (websearch_to_tsquery('simple', ?) && quote_literal(?)::tsquery)`, [words, userId])
    .whereRaw(`numnode(websearch_to_tsquery('simple', ?)) > 0`, words);
}

/** PostgreSQL 18 gives up ("tsquery stack too small") on 32 in a row. */
const REPEATED_NOT = /(?<![\p{L}\p{M}\p{N}])-(?=[^\p{L}\p{M}\p{N}]*-)/gu;
