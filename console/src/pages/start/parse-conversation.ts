/** A pasted conversation: the API's own JSON, or one turn a line. */
import type { TurnInput } from '../../../../clients/typescript/src/index.ts';

const LINE = /^\s*([^:]{1,64}?)\s*:\s+(.*)$/u;
/** Of a line before which nobody was named. */
const UNNAMED = 'client';

/**
 * Returns the turns of "operator: …" lines, or of a JSON array of turns. A line without a name goes on with the turn
 * before it.
 */
export function parseConversation(text: string): TurnInput[] {
  return parseJson(text) ?? parseLines(text);
}

function parseJson(text: string): TurnInput[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    // What is wrong with its members the API says, and names them.
    return JSON.parse(text) as TurnInput[];
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
