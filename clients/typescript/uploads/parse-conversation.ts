/** Parses conversations of common formats into turns. */
import type { TurnInput } from './turn-input.ts';
import { readHeaded } from './read-headed.ts';
import { readMail } from './read-mail.ts';
import { readJson, readJsonLines } from './read-json.ts';
import { readSubtitles } from './read-subtitles.ts';
import { readChat, readLines, type Read } from './read-text.ts';
import { cleanName } from './stamps.ts';

export interface ParseOptions {
  /** Roles by speaker name. `*` is the role of all other names. Names without a role become the role. */
  roles?: Record<string, string>;
}

/**
 * Returns the turns of a conversation, and how many messages without words of a person were skipped: JSON as for `POST
 * /v1/requests/text`, JSON or JSON Lines of other services, WebVTT, SubRip, SBV, mails, a chat of WhatsApp, Slack, Teams or Zoom, or one turn per line ("operator: …").
 * Throws `FormatError` with the place if a message can't be read, or if the text belongs to another format. The API reports invalid
 * turns.
 */
export function readConversation(text: string, { roles = {} }: ParseOptions = {}): Read {
  const source = text.replace(/^\ufeff/, '').replaceAll(/\r\n?|\u2028|\u2029/g, '\n');
  const names = Object.keys(roles).filter((name) => name !== '*');
  const { turns, skipped } =
    readJson(source) ??
    readJsonLines(source) ??
    readSubtitles(source, names) ??
    readMail(source) ??
    readChat(source) ??
    readHeaded(source) ??
    readLines(source, names);
  const byName = new Map(Object.entries(roles).map(([name, role]) => [comparable(name), role]));
  const roleOf = (name: string) => byName.get(comparable(name)) ?? byName.get('*') ?? name;
  return { turns: turns.map((turn) => (isNamed(turn) ? { ...turn, role: roleOf(turn.role) } : turn)), skipped };
}

/** Returns the turns that `readConversation` returns. */
export const parseConversation = (text: string, options?: ParseOptions): TurnInput[] =>
  readConversation(text, options).turns;

const isNamed = (turn: unknown): turn is TurnInput =>
  typeof turn === 'object' && turn !== null && typeof (turn as Partial<TurnInput>).role === 'string';

/** Names are compared without invisible marks, telephone numbers by their digits. */
function comparable(name: string): string {
  const cleaned = cleanName(name);
  return /^\+?[\d\s()./\u2010-\u2015-]{6,}$/.test(cleaned) ? cleaned.replaceAll(/\D/g, '') : cleaned;
}
