/** The texts of the chosen language. `common` is part of the first load; a page loads its other files before it is shown. */
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from '../../../contract/values/constants.ts';
import { readPreferences } from '../format/preferences.ts';

// Named imports would need two lines for each file.
/* oxlint-disable typescript/consistent-type-imports */
/** The files of each language. All languages have the same files, which have the same types. */
interface Files {
  account: typeof import('./en/account.ts');
  accuracy: typeof import('./en/accuracy.ts');
  assistant: typeof import('./en/assistant.ts');
  audit: typeof import('./en/audit.ts');
  batches: typeof import('./en/batches.ts');
  delivery: typeof import('./en/delivery.ts');
  errors: typeof import('./en/errors.ts');
  forms: typeof import('./en/forms.ts');
  invitation: typeof import('./en/invitation.ts');
  login: typeof import('./en/login.ts');
  members: typeof import('./en/members.ts');
  overview: typeof import('./en/overview.ts');
  palette: typeof import('./en/palette.ts');
  results: typeof import('./en/results.ts');
  review: typeof import('./en/review.ts');
  security: typeof import('./en/security.ts');
  session: typeof import('./en/session.ts');
  shared: typeof import('./en/shared.ts');
  start: typeof import('./en/start.ts');
  system: typeof import('./en/system.ts');
  tokens: typeof import('./en/tokens.ts');
  uploads: typeof import('./en/uploads.ts');
  usage: typeof import('./en/usage.ts');
  workspaces: typeof import('./en/workspaces.ts');
}
export type TextFile = keyof Files;

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export const LANGUAGE_NAMES: Record<ConsoleLanguage, string> = { en: 'English', ru: 'Русский', uz: 'Oʻzbekcha' };

/** Returns the stored language, otherwise the browser's first language that the console supports. */
export function chooseLanguage(): ConsoleLanguage {
  const wanted = [readPreferences().language, ...navigator.languages.map((tag) => tag.split('-')[0])];
  return wanted.map((tag) => CONSOLE_LANGUAGES.find((each) => each === tag)).find(Boolean) ?? 'en';
}

export const language = chooseLanguage();
document.documentElement.lang = language;

/** All groups of texts. A group exists after its file is loaded: see `lazyPage` and `lazyPart`. */
export const texts = {} as Both<typeof import('./en/common.ts') | Files[TextFile]>;
/* oxlint-enable typescript/consistent-type-imports */

/** Each language has its own list of files, so that the first load has one list. */
const LANGUAGES = {
  en: () => import('./en/index.ts'),
  ru: () => import('./ru/index.ts'),
  uz: () => import('./uz/index.ts'),
};

const { files, ...common } = await LANGUAGES[language]();
Object.assign(texts, common);

export const loadTexts = (names: readonly TextFile[]): Promise<unknown> =>
  Promise.all(names.map(async (name) => Object.assign(texts, await files[`./${name}.ts`]?.())));
