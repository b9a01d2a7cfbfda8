/** A conversation in the form in which quotations are looked for. */
import type { Turn } from '../../contract/sessions.ts';
import { fold } from './fold.ts';

export interface FoldedConversation {
  /** All turns folded, a blank before, between and after them. */
  text: string;
  /** Where in `text` each turn's first word begins; of a turn without words, where the next one's does. */
  starts: readonly number[];
  /** Returns the turn that the position is in. */
  turnAt(position: number): number;
  /** Returns the turns in which the word stands. The index is made when it is first asked for. */
  turnsWith(word: string): readonly number[];
}

export function foldConversation(turns: readonly Turn[]): FoldedConversation {
  let text = ' ';
  const starts = turns.map((turn) => {
    const start = text.length;
    const folded = fold(turn.text);
    if (folded !== '') text += `${folded} `;
    return start;
  });
  let index: Map<string, number[]> | undefined;
  return {
    text,
    starts,
    turnAt: (position) => lastAtOrBefore(starts, position),
    turnsWith: (word) => (index ??= indexWords(text, starts)).get(word) ?? [],
  };
}

function lastAtOrBefore(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function indexWords(text: string, starts: readonly number[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [turn, start] of starts.entries()) {
    const words = text.slice(start, (starts[turn + 1] ?? text.length) - 1).split(' ');
    for (const word of new Set(words)) {
      const turns = index.get(word);
      if (turns) turns.push(turn);
      else index.set(word, [turn]);
    }
  }
  return index;
}
