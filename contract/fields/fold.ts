/** Folds texts, so equal words become equal strings, and finds their places in a text. Imports nothing. */

const APOSTROPHE_SIGNS = "'`\u00b4\u2018\u2019\u201b\u2032\u055a\uff07";
/** Unicode counts some apostrophes as letters. */
const APOSTROPHES = `[${APOSTROPHE_SIGNS}\u02b9\u02bb-\u02bf\u02c8\ua78c]`;
/** Format characters, such as those without width, and the variants of emoji. */
const UNSEEN = /[\p{Cf}\p{Variation_Selector}]/gu;
const WITHIN_WORD = new RegExp(`(?<=[\\p{L}\\p{M}\\p{N}])${APOSTROPHES}(?=\\p{L})`, 'gu');
const OTHER_APOSTROPHE = new RegExp(APOSTROPHES, 'gu');
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Returns the words of a text, separated by one space: in NFKC and lower case, without apostrophes and format characters.
 * All other signs separate words. Marks stay.
 */
export const normalForm = (text: string): string => toWords(normalizeSigns(text));

/** A sign that NFKC makes letters of, such as №, remains apart from the words beside it. */
const normalizeSigns = (text: string): string =>
  normalize(
    text
      .replaceAll(UNSEEN, '')
      .replaceAll(WITHIN_WORD, '')
      .replaceAll(OTHER_APOSTROPHE, ' ')
      .replaceAll(/\p{S}/gu, ' $& '),
  );

/** The lower case of İ has a dot of its own. */
const toWords = (text: string): string =>
  text.toLowerCase().replaceAll('i\u0307', 'i').replaceAll(SEPARATORS, ' ').trim();

/** Signs that change what a text says: symbols and emoji, `A-`, `-5`, `1.5`, `1/2`, `10:1`. */
const MEANT = /[\p{S}#%&@*\u2212]|(?<=\d)[.,:/](?=\d)|(?<=[\p{L}\p{N}])-(?=\s|$)|(?<![\p{L}\p{N}])-(?=\d)/gu;

/** As `normalForm`, but ё is е, and texts that differ in a sign or an emoji differ. */
export const foldWithSigns = (text: string): string =>
  toWords(normalizeSigns(text).replaceAll(MEANT, nameOfSign)).replaceAll('ё', 'е') || text.trim();

const ALIKE: Readonly<Record<string, string>> = { ',': '.', '\u2212': '-' };

const nameOfSign = (sign: string) => ` sign${(ALIKE[sign] ?? sign).codePointAt(0)?.toString(36)} `;

/** Marks beyond the 30 per letter of UAX #15's stream-safe format. Sorting them takes quadratic time. */
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

/** Twice the characters of a turn. Only ligatures of whole phrases, such as U+FDFA, exceed this. */
const MAX_NORMALIZED = 200_000;

/** Returns a text in NFKC, in limited time. */
export const normalize = (text: string): string =>
  text.replaceAll(SURPLUS_MARKS, '').normalize('NFKC').slice(0, MAX_NORMALIZED);

export interface Piece {
  /** Position in the text. */
  start: number;
  end: number;
  /** Usually one word in its normal form. Signs have none or, such as ½, several. */
  words: readonly string[];
}

/** Scripts without blanks between words. Each of their letters counts as a word, so a word may begin beside any of them. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
/** With the Japanese long vowels, which have no script of their own. */
const UNSPACED = `${SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}\\u30fc\\uff70`;
const UNSPACED_LETTER = new RegExp(`^[${UNSPACED}]`, 'u');
const LETTERS = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}\\p{Cf}])+`;
/** A placeholder of redaction, an unspaced letter with its marks, a word with its apostrophes, or a symbol. */
const PIECE = new RegExp(
  `\\[[A-Z]{1,9}_\\d{1,9}\\]|[${UNSPACED}][\\p{M}\\p{Cf}\\uff9e\\uff9f]*|${LETTERS}(?:[${APOSTROPHE_SIGNS}]${LETTERS})*|\\p{S}`,
  'gu',
);

/**
 * Returns the words of a text in their order, in linear time. A text of signs without words, such as an emoji, counts as
 * one word. @param known the words of pieces that were read before.
 */
export function* piecesOf(text: string, known = new Map<string, readonly string[]>()): Generator<Piece, undefined> {
  let hasWords = false;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const words =
      known.get(piece) ??
      normalForm(piece)
        .split(' ')
        .filter((word) => word !== '');
    known.set(piece, words);
    if (words.length === 0) continue;
    hasWords = true;
    yield { start: index, end: index + piece.length, words };
  }
  const signs = hasWords ? null : text.match(/\p{S}/gu);
  if (signs) yield { start: 0, end: text.length, words: [signs.join('')] };
}

/** Returns two for a word, and one for each letter of a script without blanks. */
export const weightOf = (word: string): number => (UNSPACED_LETTER.test(word) ? [...word].length : 2);
