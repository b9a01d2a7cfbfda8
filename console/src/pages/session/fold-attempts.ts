/** Which rows of a long waterfall are seen at first. */
import type { Bar } from './waterfall-layout.ts';

/** Up to so many calls, nothing is folded. */
const MAX_CALLS = 12;
const FIRST_CALLS = 4;
const LAST_CALLS = 3;

export interface FoldedBars {
  first: readonly Bar[];
  /** Calls and the waits between them. */
  middle: readonly Bar[];
  last: readonly Bar[];
  /** The calls in the middle. */
  foldedCalls: number;
}

/** Returns the bars in three parts, of which the one in the middle is empty unless there are many calls. */
export function foldAttempts(bars: readonly Bar[]): FoldedBars {
  const calls = bars.flatMap(({ entry }, index) => (entry.kind === 'call' ? [index] : []));
  if (calls.length <= MAX_CALLS) return { first: bars, middle: [], last: [], foldedCalls: 0 };
  // A part ends with a call: the wait before a call stands beside it.
  const from = (calls[FIRST_CALLS - 1] ?? 0) + 1;
  const to = (calls.at(-LAST_CALLS - 1) ?? 0) + 1;
  return {
    first: bars.slice(0, from),
    middle: bars.slice(from, to),
    last: bars.slice(to),
    foldedCalls: calls.length - FIRST_CALLS - LAST_CALLS,
  };
}
