import { FormatError } from './format-error.ts';

/** Returns the text of a file in UTF-8, or by its mark in UTF-16. Throws `FormatError` for other encodings, to change no letter. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [before = ''] = new TextDecoder().decode(bytes).split('\ufffd');
    throw new FormatError(before.split('\n').length, 'not_utf8');
  }
}
