/** Parses a conversation as JSON or as one turn per line. */
import type { TurnInput } from '../src/index.ts';

const LINE = /^([^:]{1,64}):\s+(\S.*)$/u;
/** Role of lines before the first named speaker. */
const UNNAMED = 'client';

/**
 * Returns the turns of "operator: …" lines, of a JSON array of turns, or of a request as JSON. A line without a name
 * continues the previous turn. Members of JSON are not checked: the API reports invalid ones.
 */
export function parseConversation(text: string): TurnInput[] {
  return parseJson(text) ?? parseLines(text);
}

function parseJson(text: string): TurnInput[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as TurnInput[] | { conversation?: TurnInput[] };
    return Array.isArray(value) ? value : value.conversation;
  } catch {
    return undefined;
  }
}

function parseLines(text: string): TurnInput[] {
  const turns: TurnInput[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, role, said] = LINE.exec(line.trimStart()) ?? [];
    const last = turns.at(-1);
    if (role !== undefined && said !== undefined) turns.push({ role: role.trimEnd(), text: said });
    else if (last) last.text += `\n${line}`;
    else turns.push({ role: UNNAMED, text: line });
  }
  return turns;
}
