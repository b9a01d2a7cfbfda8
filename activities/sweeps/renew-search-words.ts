import { SessionModel } from '../../db/models/session.ts';
import { STORE_WORDS } from '../../db/queries/session-end.ts';
import { searchedWords } from '../../db/queries/text-query.ts';
import { readRows } from '../../db/statements.ts';

/** Sessions in memory at once. */
const BATCH = 10;

/** Stores the words again that a former release stored in another form. Returns their number. Another run continues. */
export async function renewSearchWords(): Promise<number> {
  for (let renewed = 0; ;) {
    const rows = await readRows<{ session_id: string }[]>(
      'select session_id from session_words where is_normal is null limit ?',
      [BATCH],
    );
    await storeSearchWords(rows.map(({ session_id }) => session_id));
    renewed += rows.length;
    if (rows.length < BATCH) return renewed;
  }
}

/** Stores the words of sessions whose words have another form or are missing. */
export async function storeSearchWords(ids: readonly string[]): Promise<void> {
  const sessions = await SessionModel.query()
    .select('id', 'metadata', 'summary_text', 'conversation')
    .whereIn('id', [...ids]);
  const words = JSON.stringify(sessions.map((session) => ({ id: session.id, words: searchedWords(session) })));
  await SessionModel.knex().raw(RENEW, { words });
}

const GIVEN = 'json_to_recordset(cast(:words as json)) as given (id text, words text)';
const RENEW = STORE_WORDS(
  `(select id, workspace_id, given.words from ${GIVEN} join sessions using (id)) renewed`,
  'where session_words.is_normal is null',
);
