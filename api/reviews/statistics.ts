/** Intervals and tests of shares. Checked against statsmodels and scipy: test/api/reviews/statistics.unit.test.ts. */
import { wilson, type Interval } from '../../contract/values/wilson.ts';

/** How many pairs have the property in both samples, in one of them, or in none. */
export interface PairCounts {
  both: number;
  onlyBefore: number;
  onlyAfter: number;
  neither: number;
}

export const countPairs = ({ both, onlyBefore, onlyAfter, neither }: PairCounts) =>
  both + onlyBefore + onlyAfter + neither;

/** Returns the interval of the share after minus the share before: Newcombe's method 10, with a corrected correlation. */
export function pairedDifference(pairs: PairCounts): Interval {
  const of = countPairs(pairs);
  const [before, after] = [pairs.both + pairs.onlyBefore, pairs.both + pairs.onlyAfter];
  const [first, second] = [wilson(after, of), wilson(before, of)];
  const difference = (after - before) / of;
  const phi = correlation(pairs, before * (of - before) * after * (of - after));
  const distance = (one: number, other: number) => Math.sqrt(one ** 2 - 2 * phi * one * other + other ** 2);
  return {
    lower: difference - distance(after / of - first.lower, second.upper - before / of),
    upper: difference + distance(first.upper - after / of, before / of - second.lower),
  };
}

function correlation({ both, onlyBefore, onlyAfter, neither }: PairCounts, margins: number): number {
  if (margins === 0) return 0;
  const product = both * neither - onlyBefore * onlyAfter;
  const half = (both + onlyBefore + onlyAfter + neither) / 2;
  return (product > 0 ? Math.max(product - half, 0) : product) / Math.sqrt(margins);
}

/** Returns McNemar's mid-p of the pairs that differ. Uses logarithms, because 2 ** -2000 is 0. */
export function mcnemarMidP(onlyBefore: number, onlyAfter: number): number {
  const pairs = onlyBefore + onlyAfter;
  const fewer = Math.min(onlyBefore, onlyAfter);
  let term = -pairs * Math.LN2;
  let sum = 0;
  for (let k = 0; k < fewer; k++) {
    sum += Math.exp(term);
    term += Math.log(pairs - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * sum + Math.exp(term));
}

/** Returns the p-values in the same order, corrected for their number by Holm's method. */
export function holm(values: readonly number[]): number[] {
  const adjusted = values.map(() => 0);
  let least = 0;
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  for (const [rank, index] of order.entries()) {
    least = Math.max(least, Math.min(1, (values.length - rank) * (values[index] ?? 0)));
    adjusted[index] = least;
  }
  return adjusted;
}

/**
 * Returns whether each test can reach 5% after a correction for the number of those that can (Tarone).
 * @param differing numbers of pairs that differ. The smallest mid-p of k pairs is 0.5 ** k.
 */
export function canDiffer(differing: readonly number[], alpha = 0.05): boolean[] {
  const reach = (tests: number) => differing.map((pairs) => 0.5 ** pairs <= alpha / tests);
  for (let tests = 1; ; tests++) {
    const able = reach(tests);
    if (able.filter(Boolean).length <= tests) return able;
  }
}

/** Returns the value that a normal variable exceeds with the probability `p` of at most 0.5, within 0.0005. */
export function upperQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/** Returns Cohen's kappa of pairs of answers; null: all answers are equal, so that chance explains everything. */
export function cohenKappa(pairs: readonly { first: string; second: string; count: number }[]): number | null {
  const all = pairs.reduce((sum, { count }) => sum + count, 0);
  const countOf = (side: 'first' | 'second', answer: string) =>
    pairs.reduce((sum, pair) => (pair[side] === answer ? sum + pair.count : sum), 0);
  const agreed = pairs.reduce((sum, { first, second, count }) => (first === second ? sum + count : sum), 0) / all;
  const answers = [...new Set(pairs.map(({ first }) => first))];
  const expected = answers.reduce((sum, each) => sum + countOf('first', each) * countOf('second', each), 0) / all ** 2;
  return expected === 1 ? null : (agreed - expected) / (1 - expected);
}
