/** Reads conversations of common formats into turns. */
import type { TurnInput } from './turn-input.ts';
import { readChat } from './read-chat.ts';
import { readJson } from './read-json.ts';
import { readNames } from './read-names.ts';
import { readSubtitles } from './read-subtitles.ts';
import { cleanName } from './stamps.ts';

export type ConversationFormat = 'json' | 'webvtt' | 'subrip' | 'whatsapp' | 'telegram' | 'names' | 'text';

export interface Read {
  format: ConversationFormat;
  turns: TurnInput[];
  /** Messages without words of a person, such as "Ann joined", that were left out. */
  skipped: number;
}

export interface ParseOptions {
  /** Roles by speaker name. `*` is the role of all other names. Names without a role become the role. */
  roles?: Record<string, string>;
}

/** Role of words without a named speaker. */
const UNNAMED = 'unknown';

/** The API's limit of a turn. */
const MAX_TURN = 100_000;

/**
 * Returns the turns of a conversation: JSON as for `POST /v1/requests/text`, other lists in JSON or JSON Lines, WebVTT, SubRip, a
 * chat of WhatsApp or Telegram, or one turn per line ("operator: …"). Any other text is what one speaker said, `unknown`.
 * Throws `FormatError` with the place for invalid JSON and cues. The API reports invalid turns.
 */
export function readConversation(text: string, { roles = {} }: ParseOptions = {}): Read {
  const source = text.replace(/^\ufeff/, '').replaceAll(/\r\n?|\u2028|\u2029/g, '\n');
  const names = Object.keys(roles).filter((name) => name !== '*');
  const read =
    readJson(source, UNNAMED) ??
    readSubtitles(source, names, UNNAMED) ??
    readChat(source) ??
    readNames(source, names, UNNAMED) ??
    readText(source);
  const byName = new Map(Object.entries(roles).map(([name, role]) => [comparable(name), role]));
  const roleOf = (name: string) => byName.get(comparable(name)) ?? byName.get('*') ?? name;
  return { ...read, turns: read.turns.map((turn) => (isNamed(turn) ? { ...turn, role: roleOf(turn.role) } : turn)) };
}

/** Returns the turns that `readConversation` returns. */
export const parseConversation = (text: string, options?: ParseOptions): TurnInput[] =>
  readConversation(text, options).turns;

/** Returns the text as turns of one speaker, cut at the limit of a turn, at the end of a line if possible. */
function readText(source: string): Read {
  const turns: TurnInput[] = [];
  for (let start = 0, end = 0; start < source.length; start = end) {
    const line = source.lastIndexOf('\n', start + MAX_TURN);
    const isPair = /[\udc00-\udfff]/.test(source[start + MAX_TURN] ?? '');
    end = source.length - start <= MAX_TURN ? source.length : line > start ? line : start + MAX_TURN - Number(isPair);
    const text = source.slice(start, end).trim();
    if (text !== '') turns.push({ role: UNNAMED, text });
  }
  return { format: 'text', turns, skipped: 0 };
}

const isNamed = (turn: unknown): turn is TurnInput =>
  typeof turn === 'object' && turn !== null && typeof (turn as Partial<TurnInput>).role === 'string';

/** Names are compared without invisible marks, telephone numbers by their digits. */
function comparable(name: string): string {
  const cleaned = cleanName(name);
  return /^\+?[\d\s()./\u2010-\u2015-]{6,}$/.test(cleaned) ? cleaned.replaceAll(/\D/g, '') : cleaned;
}
