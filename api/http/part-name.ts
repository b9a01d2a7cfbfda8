/** Reads the file name of a part of a form, whatever client wrote it. */
import type { EventEmitter } from 'node:events';
import type { BusboyInstance } from '@fastify/busboy';

/** RFC 5987. Some clients put the value in quotes. */
const EXTENDED = /;\s*filename\*\s*=\s*"?([\w!#$%&+^`{}~-]+)'[^';]*'([^\s;"]+)/i;
const PLAIN = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i;

/** Two neighboring letters of CP1251's alphabet: words of the Latin alphabet have single letters above ASCII. */
const CYRILLIC = /[\xa8\xb8\xc0-\xff]{2}/;

/**
 * Returns the name in a `Content-Disposition`, which contains one character per byte. `filename*` wins over `filename`, which
 * older clients get. Bytes that are not UTF-8 are CP1251 or CP1252.
 */
export function readPartName(disposition: string): string {
  const [, charset = '', encoded = ''] = EXTENDED.exec(disposition) ?? [];
  const bytes = encoded.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const isEscaped = !/%(?![\da-f]{2})/i.test(encoded);
  const extended = isEscaped && decode(bytes, charset.replace(/^cp(?=\d)/i, 'windows-'));
  if (extended) return extended;
  const [, quoted, bare = ''] = PLAIN.exec(disposition) ?? [];
  const plain = quoted?.replaceAll('\\"', '"') ?? bare.trim();
  return decode(plain, 'utf-8') ?? decode(plain, CYRILLIC.test(plain) ? 'windows-1251' : 'windows-1252') ?? '';
}

function decode(bytes: string, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

interface Part extends EventEmitter {
  on(event: 'header', listener: (header: Record<string, string[] | undefined>) => void): this;
}

/**
 * Returns a function that returns the name of the current file. The parser's own name is lossy: it prefers `filename`, and
 * decodes every name as UTF-8. Reads the headers from its inner parser, because it reports none.
 * Guarded by test/api/http/other-clients.test.ts.
 */
export function watchPartNames(parser: BusboyInstance): () => string {
  let disposition = '';
  const { parser: inner } = (parser as unknown as { _parser: { parser: EventEmitter } })._parser;
  inner.prependListener('part', (part: Part) => {
    part.on('header', (header) => (disposition = header['content-disposition']?.[0] ?? ''));
  });
  return () => readPartName(disposition);
}
