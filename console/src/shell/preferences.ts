/** What a person has chosen for this browser. public/theme.js reads the theme before the first paint. */
import { useSyncExternalStore } from 'react';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  timeZone: 'local' | 'utc';
  shortcuts: boolean;
  /** Waits are drawn shorter than they are. */
  compressIdle: boolean;
}

const KEY = 'console.preferences';
const DEFAULTS: Preferences = { theme: 'system', timeZone: 'local', shortcuts: true, compressIdle: false };

let preferences = read();
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

export function prefer(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Storage is not to be had: the choice lasts as long as the page.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

function applyTheme(): void {
  if (preferences.theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = preferences.theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePreferences = () => useSyncExternalStore(subscribe, () => preferences);
