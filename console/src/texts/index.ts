/** The texts of the language that this page was built in: `vite.config.ts` builds the console once for each language. */
import { CONSOLE_LANGUAGES, LANGUAGE_COOKIE, type ConsoleLanguage } from '../../../contract/values/constants.ts';
import { readPreferences } from '../format/preferences.ts';
import { language } from './all.ts';

// Not destructured: the bundler puts each group into the files that name it.
export * as texts from './all.ts';

export const LANGUAGE_NAMES: Record<ConsoleLanguage, string> = { en: 'English', ru: 'Русский', uz: 'Oʻzbekcha' };

/** Returns the stored language, otherwise the browser's first language that the console supports. */
function chooseLanguage(): ConsoleLanguage {
  const wanted = [readPreferences().language, ...navigator.languages.map((tag) => tag.split('-')[0])];
  return wanted.map((tag) => CONSOLE_LANGUAGES.find((each) => each === tag)).find(Boolean) ?? 'en';
}

/** Returns whether a reload shows another language. The server reads the language from a cookie. */
export function needsOtherLanguage(): boolean {
  const cookie = `${LANGUAGE_COOKIE}=${chooseLanguage()}`;
  document.cookie = `${cookie}; path=/console; max-age=31536000; samesite=lax`;
  // A browser without cookies would reload forever.
  return cookie !== `${LANGUAGE_COOKIE}=${language}` && document.cookie.includes(cookie);
}
