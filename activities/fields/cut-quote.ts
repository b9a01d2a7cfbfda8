/** Cuts a quote out of the conversation, so the shown text is always original. */
import type { Quote } from '../../contract/fields/result-fields.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { foldedPositions, type FoldedPositions } from './folded-positions.ts';
import type { Steps } from './in-slices.ts';
import type { FoundQuote } from './find-quote.ts';
import type { FoldedConversation } from './folded-conversation.ts';

/** Duration above which the times of words within a turn are estimated. */
const LONG_TURN_S = 15;

interface Part {
  start: number;
  end: number;
}

/** Returns a function that returns the quote at a position of the folded conversation. It folds each turn only once. */
export function createCutQuote(turns: readonly Turn[], { starts, turnAt }: FoldedConversation) {
  const positions = new Map<number, FoldedPositions | undefined>();

  function* partOf(turn: number, start: number, end: number): Steps<Part> {
    const { text } = turns[turn] as Turn;
    if (!positions.has(turn)) positions.set(turn, yield* foldedPositions(text));
    const known = positions.get(turn);
    const offset = starts[turn] as number;
    // Without positions, or if the quote continues beyond the turn, the rest of the turn.
    const part = { start: known?.starts[start - offset] ?? 0, end: known?.ends[end - 1 - offset] ?? text.length };
    return withBrackets(text, part);
  }

  return function* cutQuote({ match, start, end }: FoundQuote): Steps<Quote> {
    const first = turnAt(start);
    const last = turnAt(end - 1);
    const quoted: { turn: Turn; part: Part }[] = [];
    for (let index = first; index <= last; index++) {
      const part = yield* partOf(
        index,
        Math.max(start, starts[index] as number),
        Math.min(end, (starts[index + 1] ?? Infinity) - 1),
      );
      quoted.push({ turn: turns[index] as Turn, part });
    }
    const text = quoted.map(({ turn, part }) => turn.text.slice(part.start, part.end).trim());
    return {
      turn: first,
      ...(last > first && { turn_end: last }),
      ...(quoted[0] && { role: quoted[0].turn.role }),
      quote: text.filter((words) => words !== '').join('\n'),
      match,
      ...timesOf(quoted),
    };
  };
}

/** A placeholder of redaction is shorter. */
const PLACEHOLDER_LENGTH = 21;

/** Returns the part with the brackets of placeholders at its ends, which searches ignore. */
function withBrackets(text: string, { start, end }: Part): Part {
  const opens = /^\[[A-Z]{1,9}_\d{1,9}\]/.test(text.slice(Math.max(0, start - 1), start + PLACEHOLDER_LENGTH));
  const closes = /\[[A-Z]{1,9}_\d{1,9}\]$/.test(text.slice(Math.max(0, end - PLACEHOLDER_LENGTH), end + 1));
  return { start: opens && text[start] !== '[' ? start - 1 : start, end: closes && text[end] === ']' ? end + 1 : end };
}

/** Returns the times of the quote: those of its turns, or estimated from the position in a long turn. */
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
