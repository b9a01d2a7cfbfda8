/** The words that searches compare: those of a session, and those that people type, as PostgreSQL's `tsquery`. */
import { normalForm } from '../../contract/fields/fold.ts';
import { UNSPACED } from '../../contract/fields/pieces.ts';
import { SEARCHED_CHARACTERS } from '../../contract/sessions/session-filter.ts';
import type { SessionModel } from '../models/session.ts';

/** Words that are shorter match as a whole: too many words start with them. */
const MIN_PREFIX = 3;
/** A term: not, then a phrase or everything up to the next space. */
const TERM = /(?<not>-*)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;
const SESSION_ID = /^sess(?<suffix>[0-9a-z]{26})$/u;
/** A text of a script without blanks, and its letters with their marks. */
const UNSPACED_TEXT = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*`, 'gu');
const LETTER = /\P{M}\p{M}*/gu;
/** A metadata value such as `c-1042`. */
const ID = /^(?=.*\p{N})\S+$/u;

export type SearchedTexts = Pick<SessionModel, 'metadata' | 'summary_text' | 'conversation'>;

/**
 * Returns the words of a session: of the values of its metadata, the summary, and the conversation. An ID is also a word without its
 * separators. The maximum fits in a `tsvector` of 1 MiB: a character takes 4 bytes at most.
 */
export function searchedWords({ metadata, summary_text, conversation }: SearchedTexts): string {
  const labels = Object.values(metadata).flatMap((value) =>
    ID.test(value) ? [value, joined(normalForm(value))] : [value],
  );
  let words = '';
  for (const text of [...labels, summary_text ?? '', ...(conversation ?? []).map((turn) => turn.text)]) {
    words += `${inPairs(normalForm(text), true)} `;
    if (words.length > SEARCHED_CHARACTERS) break;
  }
  return words.slice(0, SEARCHED_CHARACTERS);
}

/** Returns the session ID that a query consists of, typed with or without its separator. */
export function toSessionId(q: string): string | undefined {
  const suffix = SESSION_ID.exec(joined(normalForm(q)))?.groups?.['suffix'];
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

/** Returns the words that a query looks for, and the texts of scripts without blanks. */
export function wantedWords(q: string): { words: string; unspaced: string[] } {
  const terms = [...q.matchAll(TERM)].flatMap(({ groups: { not, phrase, word } = {} }) =>
    not === '' && word?.toLowerCase() !== 'or' ? (phrase ?? word ?? '') : [],
  );
  const form = normalForm(terms.join(' '));
  return { words: form.replaceAll(UNSPACED_TEXT, ' '), unspaced: form.match(UNSPACED_TEXT) ?? [] };
}

function toTerm({ phrase, word = '' }: Record<string, string | undefined>): string | undefined {
  const form = normalForm(phrase ?? word);
  if (form === '') return undefined;
  const words = inPairs(form);
  if (phrase !== undefined) return `'${words}'`;
  if (words !== form) return `(${words.split(' ').map(withPrefix).join(' & ')})`;
  const whole = joined(form);
  if (whole === form) return withPrefix(form);
  return /\p{N}/u.test(form) ? `('${form}' | ${withPrefix(whole)})` : `'${form}'`;
}

const joined = (form: string) => form.replaceAll(' ', '');

/** Returns a normal form in which pairs of letters stand for the texts of scripts without blanks. @param isStored also the last letter, which begins no pair. */
const inPairs = (form: string, isStored = false) =>
  form
    .replaceAll(UNSPACED_TEXT, (text) => {
      const letters = text.match(LETTER) ?? [];
      const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
      return ` ${[...pairs, ...(isStored || pairs.length === 0 ? letters.slice(-1) : [])].join(' ')} `;
    })
    .trim()
    .replaceAll(/ +/g, ' ');

const withPrefix = (word: string) =>
  word.length < MIN_PREFIX && word.search(UNSPACED_TEXT) < 0 ? `'${word}'` : `'${word}':*`;
