/** The keys of a keyboard of any script. */

interface Pressed {
  key: string;
  code: string;
  shiftKey: boolean;
}

/** Places of signs on a keyboard, where other scripts have letters. */
const SIGNS: Record<string, string> = { BracketLeft: '[', BracketRight: ']', Minus: '-', Slash: '/' };

/**
 * Returns the pressed key. A letter or digit of another script, such as Cyrillic, is the Latin one at the same place. Caps Lock
 * changes nothing.
 */
export function keyOf({ key, code, shiftKey }: Pressed): string {
  // Some layouts need Shift for a digit. Brackets need AltGr on others.
  const digit = shiftKey || /[[\]]/.test(key) ? undefined : /^Digit(.)$/.exec(code)?.[1];
  if (digit !== undefined) return digit;
  if (/^[^\u0000-\u024f]$/.test(key)) return (/^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? SIGNS[code] ?? key).toLowerCase();
  return shiftKey || key.length > 1 ? key : key.toLowerCase();
}
