/** Approximate string search: Sellers' algorithm with Ukkonen's cut-off. */
import type { Steps } from './in-slices.ts';

interface ApproximateMatch {
  start: number;
  end: number;
  /** Number of inserted, deleted and replaced characters. */
  edits: number;
}

const POSITIONS_PER_STEP = 16;

/**
 * Returns the part of `text` closest to `pattern`, if it takes at most `maxEdits` edits. At each character of the text,
 * `edits[i]` is the number of edits with which the first `i` characters of the pattern end there, and `starts[i]` is where
 * they begin. Cells above `last` need more than `maxEdits` edits and are skipped.
 */
export function* findApproximate(pattern: string, text: string, maxEdits: number): Steps<ApproximateMatch | undefined> {
  const length = pattern.length;
  const edits = Uint32Array.from({ length: length + 1 }, (_, index) => index);
  const starts = new Uint32Array(length + 1);
  let last = Math.min(maxEdits, length);
  let best: ApproximateMatch | undefined;
  for (let position = 0; position < text.length; position++) {
    if (position % POSITIONS_PER_STEP === 0) yield;
    const code = text.charCodeAt(position);
    let diagonal = 0;
    let diagonalStart = position;
    starts[0] = position + 1;
    const top = Math.min(last + 1, length);
    for (let row = 1; row <= top; row++) {
      const above = edits[row] as number;
      const aboveStart = starts[row] as number;
      const replaced = diagonal + (pattern.charCodeAt(row - 1) === code ? 0 : 1);
      const left = (edits[row - 1] as number) + 1;
      const fewest = Math.min(replaced, above + 1, left);
      edits[row] = fewest;
      starts[row] =
        fewest === replaced ? diagonalStart : fewest === above + 1 ? aboveStart : (starts[row - 1] as number);
      diagonal = above;
      diagonalStart = aboveStart;
    }
    last = top;
    while ((edits[last] as number) > maxEdits) last--;
    const needed = edits[length] as number;
    if (last === length && (best === undefined || needed < best.edits)) {
      best = { start: starts[length] as number, end: position + 1, edits: needed };
    }
  }
  return best;
}
