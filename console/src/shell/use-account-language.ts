import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showFailure } from '../components/toasts.tsx';
import { readPreferences, savePreferences } from '../format/preferences.ts';
import { reloadPage } from '../server/load-file.ts';
import { loginOptions, setLanguage } from '../server/login.ts';
import { needsOtherLanguage } from '../texts/index.ts';

/**
 * Stores the account's language in the browser, and reloads the page if the language changes. A language that was chosen before
 * the login becomes that of the account.
 */
export function useAccountLanguage(): void {
  const { data: user } = useQuery(loginOptions);
  const chosen = user?.language;
  useEffect(() => {
    if (chosen === undefined) return;
    const { newLanguage } = readPreferences();
    if (newLanguage) return void setLanguage(newLanguage).catch(showFailure);
    savePreferences({ language: chosen });
    if (needsOtherLanguage()) void reloadPage();
  }, [chosen]);
}
