/**
 * Finds sessions by their words, newest first. The index of the words knows no order: of a word that is in every session
 * it gives all of them, each from a place of its own. So what is in more than a few is searched in the newest sessions
 * first, where the planner may as well look at the words of each, and mostly fills the page from there.
 */
import { Model } from 'objection';
import { decodeCursor, toPage } from './page.ts';
import type { Page, PageRequest } from './page.ts';
import { filterSessions } from './session-filter.ts';
import type { IdRange, SessionFilter, Sessions } from './session-filter.ts';
import type { SessionModel } from './models/session.ts';

/** What is in so many sessions at most is read whole. */
const FEW = 100;
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
  const words = wordsOf(userId, q);
  const filtered = (range: IdRange, wanted: number) =>
    filterSessions(select(), userId, filter, { range, isNarrow: true }).orderBy('id', 'desc').limit(wanted);

  const few = await findFew(words);
  if (few) return toPage(await filtered({ before }, limit + 1).whereIn('sessions.id', few), limit);

  const found = (range: IdRange, wanted: number) =>
    filtered(range, wanted)
      .joinRaw('join session_words on session_words.session_id = sessions.id')
      .whereRaw(words.sql, words.bindings);
  const lastOfFirst = await filterSessions(select().clearSelect().select('id'), userId, filter, { range: { before } })
    .orderBy('id', 'desc')
    .offset(SEARCHED_FIRST - 1)
    .limit(1)
    .first();
  const from = lastOfFirst?.id;
  const rows = await found({ from, before }, limit + 1);
  if (from !== undefined && rows.length <= limit)
    rows.push(...(await found({ before: from }, limit + 1 - rows.length)));
  return toPage(rows, limit);
}

interface Condition {
  sql: string;
  bindings: string[];
}

/** A query without a word in it finds nothing. */
function wordsOf(userId: string, q: string): Condition {
  const asked = q.replaceAll(REPEATED_NOT, '');
  const sql = `words @@ (websearch_to_tsquery('simple', ?) && quote_literal(?)::tsquery)
    and numnode(websearch_to_tsquery('simple', ?)) > 0`;
  return { sql, bindings: [asked, userId, asked] };
}

/** The sessions with these words; undefined: they are more than a few. */
async function findFew({ sql, bindings }: Condition): Promise<string[] | undefined> {
  const { rows } = await Model.knex().raw<{ rows: { session_id: string }[] }>(
    `select session_id from session_words where ${sql} limit ?`,
    [...bindings, FEW + 1],
  );
  return rows.length > FEW ? undefined : rows.map((row) => row.session_id);
}

/** PostgreSQL 18 gives up ("tsquery stack too small") on 32 in a row. */
const REPEATED_NOT = /(?<![\p{L}\p{M}\p{N}])-(?=[^\p{L}\p{M}\p{N}]*-)/gu;
