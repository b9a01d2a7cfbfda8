/**
 * Full-text search, newest first. The index is unordered, and slow for words that many sessions contain. So the newest
 * sessions are checked first, which is enough for frequent words. The index finds rare words.
 */
import { toPage, type Page, type PageRequest } from '../page.ts';
import { filterSessions, type SessionFilter, type Sessions } from './filter-sessions.ts';
import type { SessionModel } from '../models/session.ts';
import { readRows } from '../statements.ts';
import { toSessionId, toTextQuery, wantedWords } from './text-query.ts';

/** Number of sessions to check, per row of the page. */
const LOOKED_AT = 1.2;

interface SessionSearch {
  workspaceId: string;
  /** Words, "phrases", or, -not. */
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
  const id = toSessionId(q);
  if (id !== undefined)
    return toPage(await filterSessions(select(), workspaceId, filter, { before: cursor }).where('id', id), limit, idOf);
  const asked = toTextQuery(q);
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

/** Filters a query by a session ID, or with the full-text index. */
export function whereHasWords(query: Sessions, workspaceId: string, q: string): Sessions {
  const id = toSessionId(q);
  if (id !== undefined) return query.where('sessions.id', id);
  const asked = toTextQuery(q);
  return query
    .joinRaw('join session_words on session_words.session_id = sessions.id')
    .whereRaw(FOUND, [asked, workspaceId, asked]);
}

/** Returns the beginnings that words have which a query looks for. A `y` at the end of a base form is `i`. */
export async function findStems(q: string): Promise<string[]> {
  const { words, unspaced } = wantedWords(q);
  const [row] = await readRows<{ stems: string[] }[]>(
    "select tsvector_to_array(to_tsvector('session_words', ?)) as stems",
    [words],
  );
  return [...unspaced, ...(row?.stems ?? []).map((stem) => (/^[a-z]{3,}i$/.test(stem) ? stem.slice(0, -1) : stem))];
}

const idOf = ({ id }: SessionModel) => id;

/** A query without words finds nothing. */
const HAS_WORDS = "numnode(to_tsquery('session_words', ?)) > 0";

const AMONG = `sessions.id in (
  select session_id from session_words
  where session_id = any(?) and words @@ to_tsquery('session_words', ?) and ${HAS_WORDS}
)`;

const FOUND = `words @@ (to_tsquery('session_words', ?) && quote_literal('/' || ?)::tsquery) and ${HAS_WORDS}`;
