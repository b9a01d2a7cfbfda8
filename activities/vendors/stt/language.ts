import { AUTO_DETECT } from '../../../contract/constants.ts';

/**
 * A language code as the vendors want it, or undefined for `Auto-Detect`: ISO 639-1 where the language has such a code,
 * without script or region (`uz-Latn-UZ` and `uzb` are `uz`). Spec §2.3.
 */
export function languageCode(language: string): string | undefined {
  if (language === AUTO_DETECT) return undefined;
  const primary = language.split('-', 1)[0] as string;
  return new Intl.Locale(primary).language ?? primary.toLowerCase();
}
