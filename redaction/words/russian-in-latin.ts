/** Russian numerals as recognizers of Uzbek write them: "sorok vosem dvenadsat". */
import { RUSSIAN } from './russian.ts';
import type { Words } from './words.ts';

const FROM = 'абвгдежиклмнопрстухцчшыья';
const TO = 'a b v g d e j i k l m n o p r s t u x s ch sh i  ya'.split(' ');

/** Returns the spellings of a word: "dvenadsat", "dvenadtsat". */
function spellingsOf(word: string): string[] {
  const spell = (text: string) => [...text].map((letter) => TO[FROM.indexOf(letter)] ?? letter).join('');
  const plain = spell(word);
  return [
    plain,
    spell(word.replaceAll('ы', 'y')),
    spell(word.replaceAll('ц', 'тс')),
    plain.replaceAll('ds', 's'),
    plain.replaceAll('ie', 'iye'),
  ];
}

/** Words of Uzbek or English, too. */
const OTHER_WORDS = new Set(['raz']);

const numbers = Object.fromEntries(
  Object.entries(RUSSIAN.numbers)
    .filter(([value]) => Number(value) < 1_000_000)
    .map(([value, words]) => {
      const spellings = words.split(' ').flatMap(spellingsOf);
      return [value, spellings.filter((word) => !OTHER_WORDS.has(word)).join(' ')];
    }),
);

export const RUSSIAN_IN_LATIN: Words = { numbers, largestBeforeHundred: 0 };
