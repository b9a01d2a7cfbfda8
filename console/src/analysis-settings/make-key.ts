/** Makes the key of a field from its name in any script. */
import { LIMITS } from '../../../contract/values/limits.ts';

/** Cyrillic letters of Russian, Uzbek and their neighbors, each followed by Latin letters. */
const CYRILLIC =
  'а a б b в v г g д d е e ё yo ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ы y э e ю yu я ya ў o қ q ғ g ҳ h і i ї yi є ye ґ g ә a ө o ү u ұ u ң n һ h';

const LETTERS = new Map(Array.from(CYRILLIC.matchAll(/(\S) (\S+)/g), ([, letter = '', latin = '']) => [letter, latin]));

/** The apostrophes of Uzbek, which belong to a letter, accents, and Cyrillic signs without a sound. */
const SILENT = /[\p{M}'ʻʼ‘’`ъь]/gu;

/** Returns a key of Latin letters, digits and _ that is not taken. */
export function makeKey(name: string, taken: readonly string[]): string {
  const latin = Array.from(name.toLowerCase().normalize('NFC'), (letter) => LETTERS.get(letter) ?? letter).join('');
  const words =
    latin
      .normalize('NFD')
      .replaceAll(SILENT, '')
      .match(/[a-z0-9]+/g) ?? [];
  const text = words.join('_');
  const whole = /^[a-z]/.test(text) ? text : ['field', ...words].join('_');
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `_${count}`;
    const key = whole.slice(0, LIMITS.fieldName - suffix.length).replace(/_$/, '') + suffix;
    if (!taken.includes(key)) return key;
  }
}
