/** The interval of a share. Checked against statsmodels: test/api/reviews/statistics.unit.test.ts. Imports nothing. */

/** The 97.5% quantile of the normal distribution. */
const Z = 1.959963984540054;

/** An interval that contains the true value in about 95% of samples. */
export interface Interval {
  lower: number;
  upper: number;
}

/** Returns Wilson's interval of a share. `of` must be positive. */
export function wilson(count: number, of: number): Interval {
  const share = count / of;
  const center = share + Z ** 2 / (2 * of);
  const margin = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return { lower: count === 0 ? 0 : (center - margin) / scale, upper: count === of ? 1 : (center + margin) / scale };
}
