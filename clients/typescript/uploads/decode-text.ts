import { FormatError } from './format-error.ts';

/** Returns the text of a file in UTF-8 or UTF-16. Throws `FormatError` for other encodings, whose letters would become other ones. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = findUtf16(bytes);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [before = ''] = new TextDecoder().decode(bytes).split('\ufffd');
    throw new FormatError(before.split('\n').length, 'not_utf8');
  }
}

/** Returns the byte order of UTF-16: by its mark, or because every other byte of its beginning is zero. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 1_000);
  const zeros = (parity: number) => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  // Latin letters of UTF-16 have a zero byte, Cyrillic ones the byte 4.
  if (zeros(1) > sample.length / 8 && zeros(0) === 0) return 'utf-16le';
  if (zeros(0) > sample.length / 8 && zeros(1) === 0) return 'utf-16be';
  return undefined;
}
