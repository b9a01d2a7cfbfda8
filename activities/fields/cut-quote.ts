/** Cuts a quote out of the conversation, so the shown text is always original. */
import type { Quote } from '../../contract/fields/result-fields.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import type { Passage } from './find-quote.ts';
import type { SpokenWords } from './spoken-words.ts';

/** Duration above which the times of words within a turn are estimated. */
const LONG_TURN_S = 15;

/** Characters before and after a quote that are its context in a long turn. */
const MAX_CONTEXT = 300;

interface Part {
  turn: Turn;
  start: number;
  end: number;
}

/** Returns the text of a passage and what the speaker said around it. */
export function cutPassage(spoken: SpokenWords, passage: Passage): { text: string; context: string } {
  const parts = partsOf(spoken, passage);
  const around = parts.map((part, index) => ({
    ...part,
    start: index === 0 ? startOfContext(part) : part.start,
    end: index === parts.length - 1 ? endOfContext(part) : part.end,
  }));
  return { text: textOf(parts), context: textOf(around) };
}

/** Returns the quote at a passage. @param named the turn in the model's answer. */
export function cutQuote(spoken: SpokenWords, passage: Passage, named: number): Quote {
  const { text, context } = cutPassage(spoken, passage);
  const [turn = 0, end] = [spoken.turnOf[passage.first], spoken.turnOf[passage.last]];
  return {
    turn,
    ...(end !== turn && { turn_end: end }),
    role: spoken.turns[turn]?.role,
    quote: text,
    match: turn === named ? 'exact' : 'moved',
    context,
    ...timesOf(partsOf(spoken, passage)),
  };
}

/** Returns the part of each turn that belongs to a passage. */
function partsOf({ turns, turnOf, starts, ends }: SpokenWords, { first, last }: Passage): Part[] {
  const [from = 0, to = 0] = [turnOf[first], turnOf[last]];
  return turns.slice(from, to + 1).map((turn, index) => ({
    turn,
    start: index === 0 ? (starts[first] ?? 0) : 0,
    end: from + index === to ? (ends[last] ?? 0) : turn.text.length,
  }));
}

const textOf = (parts: readonly Part[]) =>
  parts
    .map(({ turn, start, end }) => turn.text.slice(start, end).trim())
    .filter((text) => text !== '')
    .join('\n');

const isLongText = ({ text }: Turn) => text.length > 2 * MAX_CONTEXT;

/** Cuts at a blank, and otherwise not within a character. */
function startOfContext({ turn, start }: Part): number {
  const earliest = start - MAX_CONTEXT;
  if (!isLongText(turn) || earliest <= 0) return 0;
  const blank = turn.text.indexOf(' ', earliest);
  return blank < 0 || blank > start ? earliest + Number(isLowSurrogate(turn.text, earliest)) : blank;
}

function endOfContext({ turn: { text }, turn, end }: Part): number {
  const latest = end + MAX_CONTEXT;
  if (!isLongText(turn) || latest >= text.length) return text.length;
  const blank = text.lastIndexOf(' ', latest);
  return blank < end ? latest - Number(isLowSurrogate(text, latest)) : blank;
}

const isLowSurrogate = (text: string, at: number) => /[\udc00-\udfff]/.test(text[at] ?? '');

/** Returns the times of the quote: those of its turns, or estimated from the position in a long turn. */
function timesOf(quoted: readonly Part[]): Pick<Quote, 'start_s' | 'end_s' | 'approximate'> {
  const [first, last] = [quoted[0], quoted.at(-1)];
  if (first?.turn.start_s === undefined || last?.turn.end_s === undefined) return {};
  const begins = isLong(first.turn) && first.start > 0;
  const ends = isLong(last.turn) && last.end < last.turn.text.length;
  return {
    start_s: begins ? within(first.turn, first.start) : first.turn.start_s,
    end_s: ends ? within(last.turn, last.end) : last.turn.end_s,
    ...((begins || ends) && { approximate: true }),
  };
}

const isLong = ({ start_s = 0, end_s = 0 }: Turn) => end_s - start_s > LONG_TURN_S;

function within({ start_s = 0, end_s = start_s, text }: Turn, position: number): number {
  return Math.round((start_s + ((end_s - start_s) * position) / text.length) * 10) / 10;
}
