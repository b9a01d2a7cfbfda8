/** The plural forms of English. */

/** Formats numbers. */
export const number = new Intl.NumberFormat('en');

/** Returns "1 session", "2,000 sessions". */
export const plural = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

/** Returns "1 session", "10,000+ sessions". */
export const upTo = (count: number, isMore: boolean, one: string, many = `${one}s`) =>
  isMore ? `${number.format(count)}+ ${many}` : plural(count, one, many);
