/** Reads numerals that speech recognition spells by their sound: "двацать", "шестдисят". */

/** Longer sounds may differ from the numeral's by one letter. */
const LONG_SOUND = 7;
const LONGEST_SOUND = 16;

/** Returns how a Russian word sounds: unstressed vowels are alike, and silent consonants are left out. */
export const soundOfRussian = (word: string): string =>
  word
    .replaceAll(/[ьъ]/g, '')
    .replaceAll('о', 'а')
    .replaceAll(/[еяэы]/g, 'и')
    .replaceAll(/[дт]ц/g, 'ц')
    .replaceAll('стс', 'с')
    .replaceAll('тс', 'с')
    .replaceAll(/(.)\1/g, '$1');

/** Returns how an Uzbek word in Latin script sounds. */
export const soundOfUzbek = (word: string): string =>
  word.replaceAll("'", '').replaceAll('q', 'k').replaceAll(/[ou]/g, 'a').replaceAll('i', '').replaceAll(/(.)\1/g, '$1');

/** Returns a function that finds what a word means that sounds like one of the numerals. Short sounds are never numerals. */
export function readMisspelled<T>(
  numerals: readonly [string, T][],
  soundOf: (word: string) => string,
  shortest: number,
): (word: string) => T | undefined {
  const bySound = new Map(numerals.map(([word, meaning]) => [soundOf(word), meaning]));
  const long = [...bySound].filter(([sound]) => sound.length >= LONG_SOUND);
  return (word) => {
    const sound = soundOf(word);
    if (sound.length < shortest || sound.length > LONGEST_SOUND) return undefined;
    return bySound.get(sound) ?? long.find(([numeral]) => isOneLetterOff(numeral, sound))?.[1];
  };
}

/** Returns whether one letter of `a` is changed, added or left out in `b`. The ends agree: "двадцатый" is no "двадцать". */
function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.at(-1) !== b.at(-1)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
