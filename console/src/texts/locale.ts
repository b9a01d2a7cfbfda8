/** How a language writes numbers and dates. */
export interface Locale {
  /** Locales for `Intl`. */
  dates: string;
  numbers: string;
  /** Month names and relative times, for languages that the browser's `Intl` does not support. */
  words?: { months: string[]; relative: (count: number, unit: Intl.RelativeTimeFormatUnit) => string };
}
