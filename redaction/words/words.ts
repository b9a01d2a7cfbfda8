/** The parts of a language's word table. All words are in lower case, separated by spaces; `*` at the end stands for any ending. */

/** The kind of a number according to a word near it. `number`: unknown kind. `ordinary`: a number that is not replaced. */
export type Label = 'card' | 'code' | 'id' | 'phone' | 'iban' | 'number' | 'ordinary';

export interface Words {
  /** Words by value: 0 to 900, 1,000, and 1,000,000 for all larger numbers. */
  numbers: Readonly<Record<number, string>>;
  /** The largest number that can come before "hundred"; 0 if each hundred has its own word. */
  largestBeforeHundred: 0 | 9 | 99;
  /** Nouns for digits, which can follow a count: "three zeros". */
  digitNouns?: Readonly<Record<number, string>>;
  /** "double", "triple". */
  repeats?: Readonly<Record<number, string>>;
  /** Words that speech recognition writes for numbers that sound alike. They count as numbers only beside other numbers. */
  soundAlikes?: Readonly<Record<number, string>>;
  /** Words within a dictated number that are not part of it, such as "uh". */
  fillers?: string;
  /** Words that correct the preceding digits, such as "no". */
  corrections?: string;
  /** Words for "digit", as in "three digits", which requests a code. */
  digit?: string;
  labels?: Readonly<Partial<Record<Label, string>>>;
  /** Words before a year, such as "since". */
  beforeYear?: string;
  /** Words that announce one more part of a number, such as "at the end". */
  continuations?: string;
  /** Words between a letter and a word that begins with it: "b as in boy". */
  spelledLike?: string;
  /** Units after a price, a quantity, a date or a time. */
  units?: string;
  plus?: string;
  emailSigns?: Readonly<Partial<Record<'@' | '.' | '_' | '-', string>>>;
}
