/** Parses conversations of common formats into turns. */
import type { TurnInput } from '../src/index.ts';
import { readHeaded } from './read-headed.ts';
import { readJson, readJsonLines } from './read-json.ts';
import { readSubtitles } from './read-subtitles.ts';
import { readChat, readLines, type Read } from './read-text.ts';

export interface ParseOptions {
  /** Roles by speaker name. `*` is the role of all other names. Names without a role become the role. */
  roles?: Record<string, string>;
}

/**
 * Returns the turns of a conversation, and how many messages without words of a person were skipped: JSON as for `POST
 * /v1/requests/text`, JSON or JSON Lines of other services, WebVTT, SubRip, SBV, a chat of WhatsApp, Slack, Teams or Zoom, or one turn per line ("operator: …").
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
    readHeaded(source) ??
    readChat(source) ??
    readLines(source, names);
  return { turns: turns.map((turn) => (isNamed(turn) ? { ...turn, role: roleOf(turn.role, roles) } : turn)), skipped };
}

/** Returns the turns that `readConversation` returns. */
export const parseConversation = (text: string, options?: ParseOptions): TurnInput[] =>
  readConversation(text, options).turns;

const isNamed = (turn: unknown): turn is TurnInput =>
  typeof turn === 'object' && turn !== null && typeof (turn as Partial<TurnInput>).role === 'string';

/** Own properties only, because a name may be `constructor`. */
const roleOf = (name: string, roles: Record<string, string>) =>
  (Object.hasOwn(roles, name) ? roles[name] : roles['*']) ?? name;
