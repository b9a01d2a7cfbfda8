/** Folds texts, so equal words become equal strings. Imports nothing. */

export const APOSTROPHE_SIGNS = "'`\u00b4\u2018\u2019\u201b\u2032\u055a\uff07";
/** Unicode counts some apostrophes as letters. */
const APOSTROPHES = `[${APOSTROPHE_SIGNS}\u02b9\u02bb-\u02bf\u02c8\ua78c]`;
/** Format characters, such as those without width, the variants of emoji, and apostrophes within words. */
const UNSEEN = new RegExp(`[\\p{Cf}\\p{Variation_Selector}]|(?<=[\\p{L}\\p{M}\\p{N}])${APOSTROPHES}(?=\\p{L})`, 'gu');
const OTHER_APOSTROPHE = new RegExp(APOSTROPHES, 'gu');
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Returns the words of a text, separated by one space: in NFKC and lower case, without apostrophes and format characters,
 * and with е for ё. All other signs separate words. Marks stay. Quotes, searches, options and values are compared in this form.
 */
export const normalForm = (text: string): string => toWords(normalizeSigns(text));

/** A sign that NFKC makes letters of, such as №, remains apart from the words beside it. */
const normalizeSigns = (text: string): string =>
  normalize(text.replaceAll(UNSEEN, '').replaceAll(OTHER_APOSTROPHE, ' ').replaceAll(/\p{S}/gu, ' $& '));

/** The lower case of İ has a dot of its own. */
const toWords = (text: string): string =>
  text.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ё', 'е').replaceAll(SEPARATORS, ' ').trim();

/** Signs that change what a text says: symbols and emoji, `A-`, `-5`, `1.5`, `1/2`, `10:1`. */
const MEANT = /[\p{S}#%&@*\u2212]|(?<=\d)[.,:/](?=\d)|(?<=[\p{L}\p{N}])-(?=\s|$)|(?<![\p{L}\p{N}])-(?=\d)/gu;

/** As `normalForm`, but texts that differ in a sign or an emoji differ. */
export const foldWithSigns = (text: string): string =>
  toWords(normalizeSigns(text).replaceAll(MEANT, nameOfSign)) || text.trim();

/** Returns the option that equals a text, or the only one in whose writing only case, signs between words or apostrophes differ. */
export function findOption(options: readonly string[], text: string): string | undefined {
  if (options.includes(text)) return text;
  const folded = foldWithSigns(text);
  const [option, other] = options.filter((each) => foldWithSigns(each) === folded);
  return other === undefined ? option : undefined;
}

const ALIKE: Readonly<Record<string, string>> = { ',': '.', '\u2212': '-' };

const nameOfSign = (sign: string) => ` sign${(ALIKE[sign] ?? sign).codePointAt(0)?.toString(36)} `;

/** Marks beyond the 30 per letter of UAX #15's stream-safe format. Sorting them takes quadratic time. */
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

/** Twice the characters of a turn. Only ligatures of whole phrases, such as U+FDFA, exceed this. */
const MAX_NORMALIZED = 200_000;

/** Returns a text in NFKC, in limited time. */
export const normalize = (text: string): string =>
  text.replaceAll(SURPLUS_MARKS, '').normalize('NFKC').slice(0, MAX_NORMALIZED);
