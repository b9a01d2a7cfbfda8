import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { savePreferences } from '../format/preferences.ts';
import { loginOptions } from '../server/login.ts';
import { chooseLanguage, language } from '../texts/index.ts';

/** Stores the account's language in the browser, and reloads the page if the language changes. */
export function useAccountLanguage(): void {
  const { data: user } = useQuery(loginOptions);
  const chosen = user?.language;
  useEffect(() => {
    if (chosen === undefined) return;
    savePreferences({ language: chosen });
    // If storage is not available, the languages stay equal and the page does not reload forever.
    if (chooseLanguage() !== language) location.reload();
  }, [chosen]);
}
