/** What is kept of the name that a client gave its file: for the vendor and for downloads, never as a path. */

const MAX_CHARACTERS = 150;

/** Control characters, marks that turn the direction of writing, and what some system does not allow in a name. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd"<>|?*:]/gu;

/**
 * Returns a name whose extension says what the bytes are, because some vendors judge by it: an MP3 named `call.wav`
 * gets one more.
 */
export function sanitizeFileName(name: string, mediaType: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = base.normalize('NFC').replaceAll(UNFIT, '');
  const stem = clean.replace(/^[. ]+/, '').replace(/[. ]+$/, '') || 'recording';
  const fitting = EXTENSIONS[mediaType] ?? [];
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(stem)?.[1]?.toLowerCase() ?? '';
  if (!fitting.includes(extension)) return `${[...stem].slice(0, MAX_CHARACTERS).join('')}.${fitting[0] ?? 'bin'}`;
  const title = [...stem].slice(0, -extension.length - 1).slice(0, MAX_CHARACTERS);
  return `${title.join('')}.${extension}`;
}

/** Those that OpenAI's transcription takes, where it takes the format at all; the first one is given. */
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
