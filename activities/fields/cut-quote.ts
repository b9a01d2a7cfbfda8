/** Cuts a quotation out of the conversation: what is shown is always its own text. */
import type { Quote } from '../../contract/result-fields.ts';
import type { Turn } from '../../contract/sessions.ts';
import { foldedPositions } from './fold.ts';
import type { FoldedPositions } from './fold.ts';
import type { FoundQuote } from './find-quote.ts';
import type { FoldedConversation } from './folded-conversation.ts';

/** Seconds from which on a turn is so long that its own times say little of a few words in it. */
const LONG_TURN_S = 15;

/** Part of a turn's text. */
interface Part {
  start: number;
  end: number;
}

/** Returns a function that makes a quote of a place in the folded conversation. It reads each turn only once. */
export function createCutQuote(turns: readonly Turn[], { starts, turnAt }: FoldedConversation) {
  const positions = new Map<number, FoldedPositions | undefined>();

  function partOf(turn: number, start: number, end: number): Part {
    const { text } = turns[turn] as Turn;
    if (!positions.has(turn)) positions.set(turn, foldedPositions(text));
    const known = positions.get(turn);
    const offset = starts[turn] as number;
    // Without positions, and where the words go on beyond the turn, all of the turn to that side.
    return { start: known?.starts[start - offset] ?? 0, end: known?.ends[end - 1 - offset] ?? text.length };
  }

  return function cutQuote({ match, start, end }: FoundQuote): Quote {
    const first = turnAt(start);
    const last = turnAt(end - 1);
    const quoted = turns.slice(first, last + 1).map((turn, index) => {
      const part = partOf(
        first + index,
        Math.max(start, starts[first + index] as number),
        Math.min(end, (starts[first + index + 1] ?? Infinity) - 1),
      );
      return { turn, part };
    });
    const text = quoted.map(({ turn, part }) => turn.text.slice(part.start, part.end).trim());
    return {
      turn: first,
      ...(last > first && { turn_end: last }),
      quote: text.filter((words) => words !== '').join('\n'),
      match,
      ...timesOf(quoted),
    };
  };
}

/** Returns when the words were said: from and to their turns' times, reckoned by letters within a long turn. */
function timesOf(quoted: readonly { turn: Turn; part: Part }[]): Pick<Quote, 'start_s' | 'end_s' | 'approximate'> {
  const [first, last] = [quoted[0], quoted.at(-1)];
  if (first?.turn.start_s === undefined || last?.turn.end_s === undefined) return {};
  const begins = isLong(first.turn) && first.part.start > 0;
  const ends = isLong(last.turn) && last.part.end < last.turn.text.length;
  return {
    start_s: begins ? within(first.turn, first.part.start) : first.turn.start_s,
    end_s: ends ? within(last.turn, last.part.end) : last.turn.end_s,
    ...((begins || ends) && { approximate: true }),
  };
}

const isLong = ({ start_s = 0, end_s = 0 }: Turn) => end_s - start_s > LONG_TURN_S;

function within({ start_s = 0, end_s = start_s, text }: Turn, position: number): number {
  return Math.round((start_s + ((end_s - start_s) * position) / text.length) * 10) / 10;
}
