/** Sanitizes file names for providers and downloads. They are never used as paths. */

const MAX_CHARACTERS = 150;

/** Normalizing thousands of combining marks takes quadratic time. */
const MAX_READ = 1_000;

/** Control characters, marks that change the writing direction, and characters that some system forbids in names. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd"<>|?*:]/gu;

/**
 * Returns a name whose extension fits the media type, because some providers rely on the extension: an MP3 named
 * `call.wav` becomes `call.wav.mp3`.
 */
export function sanitizeFileName(name: string, mediaType: string): string {
  const base = decodeWords(name).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = base.slice(-MAX_READ).normalize('NFC').replaceAll(UNFIT, '');
  const stem = clean.replace(/^[. ]+/, '').replace(/(?<![. ])[. ]+$/, '') || 'recording';
  const fitting = EXTENSIONS[mediaType] ?? [];
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(stem)?.[1]?.toLowerCase() ?? '';
  if (!fitting.includes(extension)) return `${[...stem].slice(0, MAX_CHARACTERS).join('')}.${fitting[0] ?? 'bin'}`;
  const title = [...stem].slice(0, -extension.length - 1).slice(0, MAX_CHARACTERS);
  return `${title.join('')}.${extension}`;
}

/** Decodes the encoded words of RFC 2047, in which .NET sends names that are not ASCII. */
function decodeWords(name: string): string {
  return name
    .slice(0, 4 * MAX_READ)
    .replaceAll(
      /=\?([\w-]{1,40})\?([BbQq])\?([^?\s]*)\?=(?:\s+(?==\?))?/g,
      (word, charset: string, form: string, text: string) => {
        try {
          const quoted = text
            .replaceAll('_', ' ')
            .replaceAll(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
          return new TextDecoder(charset).decode(
            Buffer.from(form.toUpperCase() === 'B' ? text : quoted, form.toUpperCase() === 'B' ? 'base64' : 'latin1'),
          );
        } catch {
          return word;
        }
      },
    );
}

/** The extensions that OpenAI's transcription accepts. The first one is added to a name without any of them. */
const EXTENSIONS: Record<string, readonly string[]> = {
  'audio/wav': ['wav'],
  'audio/mpeg': ['mp3', 'mpga', 'mpeg'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/aac': ['aac'],
  'audio/flac': ['flac'],
  'audio/ogg': ['ogg', 'oga'],
  'audio/webm': ['webm'],
  'video/mp4': ['mp4'],
  'video/webm': ['webm'],
};
