/** Folds texts, so that two that a reader takes for the same words become the same string. */

/** What people write for an apostrophe, of which two count as letters; and what is not seen at all. */
const UNSEEN = /['`\u00b4\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07\u00ad\u200b-\u200d\ufe00-\ufe0f]/g;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text in lower case with one blank between them, without punctuation and apostrophes. */
export const fold = (text: string): string => foldSpaced(text).trim();

/** Unseen characters go first: NFKC makes a blank and an accent of U+00B4. */
const foldSpaced = (text: string): string =>
  text.replaceAll(UNSEEN, '').normalize('NFKC').toLowerCase().replaceAll('ё', 'е').replaceAll(SEPARATORS, ' ');

/** A letter with the marks that belong to it, which NFKC may make one character of. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu;

/** A folded text, and for each of its characters where in the original it stands. */
export interface FoldedPositions {
  starts: number[];
  ends: number[];
}

/**
 * Returns where in `text` each character of `fold(text)` comes from. Returns undefined for the rare text that can't be
 * folded letter by letter, such as decomposed Hangul.
 */
export function foldedPositions(text: string): FoldedPositions | undefined {
  const positions: FoldedPositions = { starts: [], ends: [] };
  let folded = '';
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    for (const character of foldSpaced(cluster)) {
      if (character === ' ' && (folded === '' || folded.endsWith(' '))) continue;
      folded += character;
      for (let unit = 0; unit < character.length; unit++) {
        positions.starts.push(index);
        positions.ends.push(index + cluster.length);
      }
    }
  }
  return folded.trimEnd() === fold(text) ? positions : undefined;
}
