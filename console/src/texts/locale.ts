/** How a language writes numbers and dates. */
export interface Locale {
  /** Locales for `Intl`. */
  dates: string;
  numbers: string;
  /** Month names, for languages that the browser's `Intl` does not support. */
  months?: string[];
}
