/** What is kept of the name that a client gave its file: for the vendor and for downloads, never as a path. */

const MAX_CHARACTERS = 150;

/** Control characters, marks that turn the direction of writing, and what some system does not allow in a name. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd"<>|?*:]/gu;

/** @param mediaType gives the name of a file that has none. */
export function sanitizeFileName(name: string, mediaType: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = base
    .normalize('NFC')
    .replaceAll(UNFIT, '')
    .trim()
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '');
  if (clean === '') return `recording.${extensionOf(mediaType)}`;
  const characters = [...clean];
  if (characters.length <= MAX_CHARACTERS) return clean;
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? '';
  return characters.slice(0, MAX_CHARACTERS - extension.length).join('') + extension;
}

const extensionOf = (mediaType: string) => EXTENSIONS[mediaType] ?? mediaType.split('/')[1] ?? 'bin';

const EXTENSIONS: Record<string, string> = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' };

/** `Content-Disposition` for a name of any script. RFC 6266. */
export function attachment(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
