import { AUTO_DETECT } from '../../../contract/constants.ts';

/**
 * Returns a language code as vendors want it, or undefined for `Auto-Detect`. The code is ISO 639-1 where the language
 * has one, without script or region (`uz-Latn-UZ` and `uzb` become `uz`). Spec §2.3.
 */
export function languageCode(language: string): string | undefined {
  if (language === AUTO_DETECT) return undefined;
  const primary = language.split('-', 1)[0] as string;
  return new Intl.Locale(primary).language ?? primary.toLowerCase();
}
