/** The preferences of this browser. public/theme.js reads the theme before the first paint. */
import type { ConsoleLanguage } from '../../../contract/values/constants.ts';
import { Store, useSelector } from '@tanstack/react-store';
import { tryStorage } from './tab-storage.ts';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  /** The language of the account; null for the browser's language. */
  language: ConsoleLanguage | null;
  /** The language that was chosen on the page of the login, for the account that logs in. */
  newLanguage: ConsoleLanguage | null;
  /** The ID of the workspace that was opened last. */
  workspace: string | null;
  /** The ID of the assistant that was looked at last. */
  assistant: string | null;
  /** Whether somebody was logged in when the page was last open. */
  isLoggedIn: boolean;
  shortcuts: boolean;
  /** Speed of recordings. */
  speed: number;
  /** The chosen columns of each list. Lists without an entry show the default columns. */
  columns: Partial<Record<string, readonly string[] | undefined>>;
}

const KEY = 'console.preferences';
const DEFAULTS: Preferences = {
  theme: 'system',
  language: null,
  newLanguage: null,
  workspace: null,
  assistant: null,
  isLoggedIn: false,
  shortcuts: true,
  speed: 1,
  columns: {},
};

const preferences = new Store(readPreferences());

export function readPreferences(): Preferences {
  const stored = tryStorage(() => JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>);
  return { ...DEFAULTS, ...stored };
}

/** Changes and stores preferences. */
export function savePreferences(change: Partial<Preferences>): void {
  preferences.setState((before) => ({ ...before, ...change }));
  const { state } = preferences;
  // If storage is not available, the change lasts until the page is reloaded.
  tryStorage(() => localStorage.setItem(KEY, JSON.stringify(state)));
  if (state.theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = state.theme;
}

export const usePreferences = () => useSelector(preferences);
