/** A conversation prepared for searching quotes. */
import type { Turn } from '../../contract/sessions/sessions.ts';
import { fold } from '../../contract/fields/fold.ts';
import { readWords, type SaidWord } from './said-words.ts';
import type { Steps } from './in-slices.ts';

export interface FoldedConversation {
  /** All turns folded, with a space before, between and after them. */
  text: string;
  /** Position in `text` of each turn's first word; for a turn without words, of the next turn's. */
  starts: readonly number[];
  turnAt(position: number): number;
  /** Returns the turns that contain a word. Builds the index on first use. */
  turnsWith(word: string): Steps<readonly number[]>;
  /** Returns the words of a turn and the next one. */
  wordsFrom(turn: number): Steps<readonly SaidWord[]>;
}

export function* foldConversation(turns: readonly Turn[]): Steps<FoldedConversation> {
  let text = ' ';
  const starts: number[] = [];
  for (const turn of turns) {
    yield;
    starts.push(text.length);
    const folded = fold(turn.text);
    if (folded !== '') text += `${folded} `;
  }
  let index: Map<string, number[]> | undefined;
  const words = new Map<number, SaidWord[]>();
  return {
    text,
    starts,
    turnAt: (position) => lastAtOrBefore(starts, position),
    *turnsWith(word) {
      index ??= yield* indexWords(text, starts);
      return index.get(word) ?? [];
    },
    *wordsFrom(turn) {
      const known = words.get(turn) ?? (yield* readWords(text.slice(starts[turn], starts[turn + 2]).trimEnd()));
      if (!words.has(turn)) words.set(turn, known);
      return known;
    },
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

function* indexWords(text: string, starts: readonly number[]): Steps<Map<string, number[]>> {
  const index = new Map<string, number[]>();
  for (const [turn, start] of starts.entries()) {
    yield;
    const words = text.slice(start, (starts[turn + 1] ?? text.length) - 1).split(' ');
    for (const word of new Set(words)) {
      const turns = index.get(word);
      if (turns) turns.push(turn);
      else index.set(word, [turn]);
    }
  }
  return index;
}
