/** Folds texts, so equal words become equal strings. */

/** Apostrophes, two of which count as letters, and invisible characters. */
const UNSEEN = /['`\u00b4\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07\u00ad\u200b-\u200d\ufe00-\ufe0f]/g;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text in lower case, separated by one space, without punctuation and apostrophes. */
export const fold = (text: string): string => foldSpaced(text).trim();

/** As `fold`, with the spaces at the ends. Removes unseen characters first: NFKC converts U+00B4 to a space and an accent. */
export const foldSpaced = (text: string): string =>
  normalize(text.replaceAll(UNSEEN, '')).toLowerCase().replaceAll('ё', 'е').replaceAll(SEPARATORS, ' ');

/** Marks beyond the 30 per letter of UAX #15's stream-safe format. Sorting them takes quadratic time. */
const SURPLUS_MARKS = /(?<=\p{M}{30})\p{M}/gu;

/** Twice the characters of a turn. Only ligatures of whole phrases, such as U+FDFA, exceed this. */
const MAX_NORMALIZED = 200_000;

/** Returns a text in NFKC, in limited time. */
export const normalize = (text: string): string =>
  text.replaceAll(SURPLUS_MARKS, '').normalize('NFKC').slice(0, MAX_NORMALIZED);
