import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { prefer } from '../format/preferences.ts';
import { loginOptions } from '../server/login.ts';
import { chooseLanguage, language } from '../texts/index.ts';

/** Stores the account's language in the browser, and reloads the page if it is another one. */
export function useAccountLanguage(): void {
  const { data: user } = useQuery(loginOptions);
  const chosen = user?.language;
  useEffect(() => {
    if (chosen === undefined) return;
    prefer({ language: chosen });
    // Without storage, the page keeps its language instead of reloading forever.
    if (chooseLanguage() !== language) location.reload();
  }, [chosen]);
}
