import type { en } from './en.ts';

/** What the file of a language contains. */
export interface Translation {
  /** Without the names of providers, which are the same in every language. */
  texts: Omit<typeof en, 'providers'>;
  /** Locales for `Intl`. */
  dates: string;
  numbers: string;
  /** Month names and relative times, for languages that the browser's `Intl` does not support. */
  words?: { months: string[]; relative: (count: number, unit: Intl.RelativeTimeFormatUnit) => string };
}
