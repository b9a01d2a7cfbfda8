import type { en } from './en.ts';

/** What the file of a language contains. */
export interface Translation {
  /** Without the names of companies, which are the same in every language. */
  texts: Omit<typeof en, 'providers'>;
  /** Locales for `Intl`. */
  dates: string;
  numbers: string;
  /** The words of dates, for a language that browsers have no words for. */
  words?: { months: string[]; relative: (count: number, unit: Intl.RelativeTimeFormatUnit) => string };
}
