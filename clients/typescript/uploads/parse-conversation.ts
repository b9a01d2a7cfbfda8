/** Parses conversations of common formats into turns. */
import type { TurnInput } from '../src/index.ts';
import { readChat, readLines, readSubtitles } from './read-text.ts';
import { readJson, readJsonLines } from './read-json.ts';

export interface ParseOptions {
  /** Roles by speaker name. `*` is the role of all other names. Names without a role become the role. */
  roles?: Record<string, string>;
}

/**
 * Returns the turns of a conversation: JSON as for `POST /v1/requests/text`, JSON or JSON Lines of other services, WebVTT,
 * SubRip, a WhatsApp chat, or one turn per line ("operator: …"). Throws `FormatError` with the line if a file of a known
 * format can't be read. The API reports invalid turns.
 */
export function parseConversation(text: string, { roles = {} }: ParseOptions = {}): TurnInput[] {
  const source = text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const turns =
    readJson(source) ?? readJsonLines(source) ?? readSubtitles(source) ?? readChat(source) ?? readLines(source);
  return turns.map((turn) => (isNamed(turn) ? { ...turn, role: roleOf(turn.role, roles) } : turn));
}

const isNamed = (turn: unknown): turn is TurnInput =>
  typeof turn === 'object' && turn !== null && typeof (turn as Partial<TurnInput>).role === 'string';

/** Own properties only, because a name may be `constructor`. */
const roleOf = (name: string, roles: Record<string, string>) =>
  (Object.hasOwn(roles, name) ? roles[name] : roles['*']) ?? name;
