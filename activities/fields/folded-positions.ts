/** Finds the characters of a text that became those of its folded form. */
import { fold, foldSpaced } from '../../contract/fields/fold.ts';
import type { Steps } from './in-slices.ts';

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
