/** Folds texts, so equal words become equal strings. */
import type { Steps } from './in-slices.ts';

/** Apostrophes, two of which count as letters, and invisible characters. */
const UNSEEN = /['`\u00b4\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07\u00ad\u200b-\u200d\ufe00-\ufe0f]/g;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text in lower case, separated by one space, without punctuation and apostrophes. */
export const fold = (text: string): string => foldSpaced(text).trim();

/** Removes unseen characters first: NFKC converts U+00B4 to a space and an accent. */
const foldSpaced = (text: string): string =>
  normalize(text.replaceAll(UNSEEN, '')).toLowerCase().replaceAll('ё', 'е').replaceAll(SEPARATORS, ' ');

/** Marks beyond the 30 per letter of UAX #15's stream-safe format. Sorting them takes quadratic time. */
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

/** Twice the characters of a turn. Only ligatures of whole phrases, such as U+FDFA, exceed this. */
const MAX_NORMALIZED = 200_000;

/** Returns a text in NFKC, in limited time. */
export const normalize = (text: string): string =>
  text.replaceAll(SURPLUS_MARKS, '').normalize('NFKC').slice(0, MAX_NORMALIZED);

/** A letter with its marks, which NFKC may combine into one character. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu;

/** The position in the original text of each character of a folded text. */
export interface FoldedPositions {
  starts: number[];
  ends: number[];
}

/** Returns the positions in `text` of the characters of `fold(text)`; undefined for rare texts such as decomposed Hangul. */
export function* foldedPositions(text: string): Steps<FoldedPositions | undefined> {
  const positions: FoldedPositions = { starts: [], ends: [] };
  let folded = '';
  let last = ' ';
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    yield;
    for (const character of foldSpaced(cluster)) {
      if (character === ' ' && last === ' ') continue;
      folded += character;
      last = character;
      for (let unit = 0; unit < character.length; unit++) {
        positions.starts.push(index);
        positions.ends.push(index + cluster.length);
      }
    }
  }
  return folded.trimEnd() === fold(text) ? positions : undefined;
}
