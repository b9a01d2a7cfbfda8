/** The parts of a language's word table. All words are in lower case, separated by spaces; `*` at the end stands for any ending. */

/** What a number is, according to a word near it. `number`: unknown kind. `ordinary`: a number that stays. */
export type Label = 'card' | 'code' | 'id' | 'phone' | 'iban' | 'number' | 'ordinary';

export interface Words {
  language: 'en' | 'ru' | 'uz';
  /** Words by value: 0 to 900, 1,000, and 1,000,000, which stands for every larger one. */
  numbers: Readonly<Record<number, string>>;
  /** The largest number that may stand before "hundred"; 0: hundreds are words of their own. */
  largestBeforeHundred: 0 | 9 | 99;
  /** Nouns for a digit, which a count may precede: "three zeros". */
  digitNouns: Readonly<Record<number, string>>;
  /** "double", "triple". */
  repeats: Readonly<Record<number, string>>;
  /** Words that a recognizer writes for a number that sounds alike. They count between numbers only. */
  soundAlikes: Readonly<Record<number, string>>;
  /** Said within a dictated number without being part of it. */
  fillers: string;
  /** Takes back what was said before. */
  corrections: string;
  /** "digit" as in "three digits", which asks for a code. */
  digit: string;
  /** "last" as in "last four digits", which doesn't. */
  last: string;
  /** Before "code": a code that stays, as in "error code". */
  ordinaryCodes: string;
  labels: Readonly<Partial<Record<Label, string>>>;
  /** Follow an amount, a quantity, a date or a time. */
  units: string;
  plus: string;
  emailSigns: Readonly<Partial<Record<'@' | '.' | '_' | '-', string>>>;
  /** Never part of an email address. */
  beforeEmail: string;
}
