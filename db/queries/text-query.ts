/** Translates what people type into a search into PostgreSQL's `tsquery` syntax. `STORE_WORDS` stores words in the same form. */

/** Words that are shorter match as a whole: too many words start with them. */
const MIN_PREFIX = 3;
/** A term: not, then a phrase or everything up to the next space. */
const TERM = /(?<not>-*)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;
const APOSTROPHES = /['\u2018\u2019\u02BB\u02BC\u02B9\u2032\u00B4`\uFF07]/gu;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;
const SESSION_ID = /^sess(?<suffix>[0-9a-z]{26})$/u;

/** Returns the session ID that a query consists of, typed with or without its separator. */
export function toSessionId(q: string): string | undefined {
  const suffix = SESSION_ID.exec(q.toLowerCase().replaceAll(SEPARATORS, ''))?.groups?.['suffix'];
  return suffix === undefined ? undefined : `sess_${suffix}`;
}

/** Returns a query for `to_tsquery`. It has no words if `q` has none. */
export function toTextQuery(q: string): string {
  let query = '';
  let operator = '';
  for (const { groups = {} } of q.matchAll(TERM)) {
    if (groups['word']?.toLowerCase() === 'or' && groups['not'] === '') {
      operator = query === '' ? '' : ' | ';
      continue;
    }
    const term = toTerm(groups);
    if (term === undefined) continue;
    query += `${operator}${groups['not'] === '' ? '' : '!'}${term}`;
    operator = ' & ';
  }
  return query;
}

function toTerm({ phrase, word = '' }: Record<string, string | undefined>): string | undefined {
  const words = (phrase ?? word)
    .replaceAll(APOSTROPHES, '')
    .replaceAll('ё', 'е')
    .replaceAll('Ё', 'Е')
    .replaceAll(SEPARATORS, ' ')
    .trim();
  if (words === '') return undefined;
  if (phrase !== undefined) return `'${words}'`;
  const joined = words.replaceAll(' ', '');
  if (joined === words) return withPrefix(words);
  return /\p{N}/u.test(words) ? `('${words}' | ${withPrefix(joined)})` : `'${words}'`;
}

const withPrefix = (word: string) => (word.length < MIN_PREFIX ? `'${word}'` : `'${word}':*`);
