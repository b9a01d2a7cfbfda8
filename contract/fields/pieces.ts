/** Cuts a text into words that can be compared, with their places in the text. */
import { APOSTROPHE_SIGNS, normalForm } from './fold.ts';

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
export const UNSPACED = `${SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}\\u30fc\\uff70`;
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
