/** Folds texts, so equal words become equal strings. */

/** Apostrophes, two of which count as letters, and invisible characters. */
const UNSEEN = /['`\u00b4\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07\u00ad\u200b-\u200d\ufe00-\ufe0f]/g;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text in lower case, separated by one space, without punctuation and apostrophes. `15%` is "15 percent". */
export const fold = (text: string): string => foldSpaced(text).trim();

/** As `fold`, with the spaces at the ends. Removes unseen characters first: NFKC converts U+00B4 to a space and an accent. */
export const foldSpaced = (text: string): string =>
  withoutUnseen(text).toLowerCase().replaceAll('ё', 'е').replaceAll('%', ' percent ').replaceAll(SEPARATORS, ' ');

const withoutUnseen = (text: string): string => normalize(text.replaceAll(UNSEEN, ''));

/** Signs that change what a text says: symbols and emoji, `A-`, `-5`, `1.5`, `1/2`, `10:1`. */
const MEANT = /[\p{S}#%&@*\u2212]|(?<=\d)[.,:/](?=\d)|(?<=[\p{L}\p{N}])-(?=\s|$)|(?<![\p{L}\p{N}])-(?=\d)/gu;

/** As `fold`, but texts that differ in a sign or an emoji differ. */
export const foldWithSigns = (text: string): string =>
  fold(withoutUnseen(text).replaceAll(MEANT, nameOfSign)) || text.trim();

const ALIKE: Readonly<Record<string, string>> = { ',': '.', '\u2212': '-' };

const nameOfSign = (sign: string) => ` sign${(ALIKE[sign] ?? sign).codePointAt(0)?.toString(36)} `;

/** Marks beyond the 30 per letter of UAX #15's stream-safe format. Sorting them takes quadratic time. */
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}+/gu;

/** Twice the characters of a turn. Only ligatures of whole phrases, such as U+FDFA, exceed this. */
const MAX_NORMALIZED = 200_000;

/** Returns a text in NFKC, in limited time. */
export const normalize = (text: string): string =>
  text.replaceAll(SURPLUS_MARKS, '').normalize('NFKC').slice(0, MAX_NORMALIZED);
