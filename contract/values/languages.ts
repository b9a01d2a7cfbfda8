/** Converts the names of languages that providers send. */
import { AUTO_DETECT, languageCode } from './constants.ts';

/** Names of speech-to-text models that differ from the Unicode ones. https://github.com/openai/whisper, tokenizer.py */
const OTHER_NAMES: Record<string, string> = {
  bengali: 'bn',
  burmese: 'my',
  castilian: 'es',
  chinese: 'zh',
  farsi: 'fa',
  flemish: 'nl',
  haitian: 'ht',
  kirghiz: 'ky',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  maori: 'mi',
  moldavian: 'ro',
  moldovan: 'ro',
  myanmar: 'my',
  nynorsk: 'nn',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  uighur: 'ug',
  valencian: 'ca',
};

/** Codes by the names of the languages in English and in the language itself, in lower case. */
const codesByName = readNames();

function readNames(): Map<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const names = codes.flatMap((code): [string, string][] => {
    const name = english.of(code) ?? code;
    if (name === code) return [];
    const own = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? name;
    return [name, own].map((each) => [each.toLowerCase(), languageCode(code) ?? code]);
  });
  return new Map([...names, ...Object.entries(OTHER_NAMES)]);
}

/** Codes for several languages, an unknown one, or none. */
const NO_LANGUAGES = ['und', 'mul', 'mis', 'zxx'];

/** Longest name or tag. */
const MAX_LANGUAGE = 100;

/**
 * Returns the ISO 639-1 code of a language, given as a name or a code in any case, with or without region and script; the
 * ISO 639-3 code if there is no other; null for any other text.
 */
export function isoLanguage(language: string | null | undefined): string | null {
  if (language == null || language === AUTO_DETECT || language.length > MAX_LANGUAGE) return null;
  const [name = ''] = language
    .trim()
    .toLowerCase()
    .split(/\s?[(,;]/, 1);
  const named = codesByName.get(name);
  if (named !== undefined) return named;
  const [primary = ''] = name.split(/[-_]/, 1);
  if (!/^[a-z]{2,3}$/.test(primary) || NO_LANGUAGES.includes(primary)) return null;
  return languageCode(primary) ?? null;
}
