import { formatNumber } from './numbers.ts';

/** Returns the text with its parameters. A part in brackets is left out without its parameter. */
export const fill = (text: string, params: Record<string, string> = {}): string =>
  text
    .replaceAll(/\[([^[\]{}]*\{(\w+)\}[^[\]{}]*)\]/g, (_, part: string, name: string) => (params[name] ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = params[name] ?? '';
      return /^\d{4,15}$/.test(value) ? formatNumber(Number(value)) : value;
    });

/** Returns a pattern of a regular expression that matches exactly the text. */
export const escapePattern = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
