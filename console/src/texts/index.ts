/** The texts and formats of the chosen language. Each language is one file, and all files have the same type. */
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from '../../../contract/values/constants.ts';
import { readPreferences } from '../format/preferences.ts';
import { en } from './en.ts';
import type { Translation } from './translation.ts';

/** Loads a language. The files must not import this module, which waits for them. */
const TRANSLATIONS: Record<ConsoleLanguage, () => Translation | Promise<Translation>> = {
  en: () => ({ texts: en, dates: 'en-GB', numbers: 'en-GB' }),
  ru: async () => (await import('./ru.ts')).ru,
  uz: async () => (await import('./uz.ts')).uz,
};

export const LANGUAGE_NAMES: Record<ConsoleLanguage, string> = { en: 'English', ru: 'Русский', uz: 'Oʻzbekcha' };

/** Returns the stored language, otherwise the browser's first language that the console supports. */
export function chooseLanguage(): ConsoleLanguage {
  const wanted = [readPreferences().language, ...navigator.languages.map((tag) => tag.split('-')[0])];
  return wanted.map((tag) => CONSOLE_LANGUAGES.find((each) => each === tag)).find(Boolean) ?? 'en';
}

export const language = chooseLanguage();
export const translation = await TRANSLATIONS[language]();
const { localServer, ...others } = translation.texts;
export const texts = { ...en, ...others, providers: { ...en.providers, local: localServer } };
document.documentElement.lang = language;
