/** A written conversation: the API's own JSON, or one turn a line. */
import type { TurnInput } from '../src/index.ts';

const LINE = /^\s*([^:]{1,64}?)\s*:\s+(.*)$/u;
/** Of a line before which nobody was named. */
const UNNAMED = 'client';

/**
 * Returns the turns of "operator: …" lines, of a JSON array of turns, or of a request as JSON. A line without a name goes
 * on with the turn before it. What is wrong with the members of JSON the API says, and names them.
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
    const [, role, said] = LINE.exec(line) ?? [];
    const last = turns.at(-1);
    if (role !== undefined && said !== undefined && said !== '') turns.push({ role, text: said });
    else if (last) last.text += `\n${line}`;
    else turns.push({ role: UNNAMED, text: line });
  }
  return turns;
}
