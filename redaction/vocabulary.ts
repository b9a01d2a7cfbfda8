/** Looks words up in the tables of all languages. */
import { ENGLISH } from './words/english.ts';
import { RUSSIAN } from './words/russian.ts';
import { RUSSIAN_IN_LATIN } from './words/russian-in-latin.ts';
import { UZBEK } from './words/uzbek.ts';
import { readMisspelled, soundOfRussian, soundOfUzbek } from './misspelled.ts';
import type { Label, Words } from './words/words.ts';

/** The possible meanings of a word. */
export interface Meaning {
  number?: { value: number; words: Words; isSoundAlike: boolean };
  digitNoun?: number;
  repeats?: number;
  isFiller?: boolean;
  isCorrection?: boolean;
  isPlus?: boolean;
  isDigitWord?: boolean;
  isUnit?: boolean;
  isBeforeYear?: boolean;
  isContinuation?: boolean;
  isSpelledLike?: boolean;
  emailSign?: string;
  label?: Label;
}

interface Table {
  exact: Map<string, Meaning>;
  /** Meanings by the beginning of words. */
  stems: Map<string, Meaning>;
}

function createTable(...languages: Words[]): Table {
  const table: Table = { exact: new Map(), stems: new Map() };
  for (const words of languages) fillTable(table, words);
  return table;
}

function fillTable(table: Table, words: Words): void {
  const add = (list: string | undefined, meaning: Meaning) => {
    for (const word of list?.split(' ').filter(Boolean) ?? []) {
      const isStem = word.endsWith('*');
      const map = isStem ? table.stems : table.exact;
      const key = isStem ? word.slice(0, -1) : word;
      // If a word has several meanings, the one that was added first counts.
      map.set(key, { ...meaning, ...map.get(key) });
    }
  };
  const entries = (record: Readonly<Record<number, string>> = {}) =>
    Object.entries(record).map(([key, list]): [number, string] => [Number(key), list]);
  for (const [value, list] of entries(words.numbers)) add(list, { number: { value, words, isSoundAlike: false } });
  for (const [value, list] of entries(words.soundAlikes)) add(list, { number: { value, words, isSoundAlike: true } });
  for (const [digit, list] of entries(words.digitNouns)) add(list, { digitNoun: digit });
  for (const [repeats, list] of entries(words.repeats)) add(list, { repeats });
  add(words.fillers, { isFiller: true });
  add(words.corrections, { isCorrection: true });
  add(words.plus, { isPlus: true });
  add(words.digit, { isDigitWord: true });
  add(words.units, { isUnit: true });
  add(words.beforeYear, { isBeforeYear: true });
  add(words.continuations, { isContinuation: true });
  add(words.spelledLike, { isSpelledLike: true });
  for (const [label, list] of Object.entries(words.labels ?? {})) add(list, { label: label as Label });
  for (const [emailSign, list] of Object.entries(words.emailSigns ?? {})) add(list, { emailSign });
}

const COMMON = createTable(ENGLISH, RUSSIAN);
const UZBEK_TABLE = createTable(UZBEK, RUSSIAN_IN_LATIN);

const APOSTROPHES = /['`´ʻʼ‘’‛′＇]/g;

/** Each Cyrillic letter with its Latin ones. */
const TO_LATIN = new Map(
  "аa бb вv гg дd еe жj зz иi йy кk лl мm нn оo пp рr сs тt уu фf хx цs чch шsh ъ ь эe юyu яya ўo' қq ғg' ҳh"
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);

/** Returns a word in lower case with one kind of apostrophe and without `ё`. */
export const foldWord = (word: string): string =>
  word.toLowerCase().normalize('NFC').replaceAll(APOSTROPHES, "'").replaceAll('ё', 'е');

/** Returns what a folded word means in any language; an empty object for an unknown word. */
export function lookUp(folded: string): Meaning {
  const plain = folded.replaceAll("'", '');
  const uzbek = [...folded].map((letter) => TO_LATIN.get(letter) ?? letter).join('');
  const meaning = {
    ...(find(UZBEK_TABLE, uzbek) ?? find(UZBEK_TABLE, uzbek.replaceAll("'", ''))),
    ...find(COMMON, plain),
  };
  if (meaning.number) return meaning;
  const number = readRussian(plain) ?? (Object.keys(meaning).length === 0 ? readUzbek(uzbek) : undefined);
  return number ?? meaning;
}

const numbersOf = (words: Words, { exact }: Table): [string, Meaning][] =>
  [...exact].filter(([, { number }]) => number?.words === words);

const readRussian = readMisspelled(numbersOf(RUSSIAN, COMMON), soundOfRussian, 5);
const readUzbek = readMisspelled(numbersOf(UZBEK, UZBEK_TABLE), soundOfUzbek, 4);

const SHORTEST_STEM = 2;
const LONGEST_STEM = 12;

function find({ exact, stems }: Table, word: string): Meaning | undefined {
  const found = exact.get(word);
  if (found) return found;
  for (let length = Math.min(word.length, LONGEST_STEM); length >= SHORTEST_STEM; length--) {
    const stem = stems.get(word.slice(0, length));
    if (stem) return stem;
  }
  return undefined;
}
