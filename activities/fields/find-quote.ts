/** Finds a model's quote in a conversation. docs/decisions.md, "Evidence". */
import type { Quote } from '../../contract/fields/result-fields.ts';
import { alignWords } from './align-words.ts';
import type { FoldedConversation } from './folded-conversation.ts';
import type { Steps } from './in-slices.ts';
import { readWords } from './said-words.ts';

/** A position in the folded conversation. */
export interface FoundQuote {
  match: Quote['match'];
  start: number;
  end: number;
}

/** Only quotes of this length are searched with slips. Shorter ones would match other words. */
const MIN_CLOSE_WORDS = 3;
const MIN_CLOSE_CHARACTERS = 10;
const MAX_CLOSE_CHARACTERS = 1_000;

/** Number of rarest words used to select turns, and limit of selected turns. */
const RARE_WORDS = 6;
const MAX_CANDIDATES = 20;

/** Limit of the search for one quote: some tens of milliseconds. */
const MAX_CELLS = 1_000_000;

/** Returns whether a speaker can have said the words between two positions. */
export type Accepts = (start: number, end: number) => boolean;

/** @param quote folded. @param turn the turn number in the model's answer, which may be any number. */
export function* findQuote(
  conversation: FoldedConversation,
  quote: string,
  turn: number,
  accepts: Accepts = () => true,
): Steps<FoundQuote | undefined> {
  if (quote === '') return undefined;
  const named = Math.min(Math.max(Math.trunc(turn) || 0, 0), conversation.starts.length - 1);
  return (
    (yield* findExact(conversation, quote, named, accepts)) ?? (yield* findClose(conversation, quote, named, accepts))
  );
}

/** Finds the exact words nearest to the named turn. */
function* findExact(
  { text, starts, turnAt }: FoldedConversation,
  quote: string,
  named: number,
  accepts: Accepts,
): Steps<FoundQuote | undefined> {
  const words = ` ${quote} `;
  const begin = (starts[named] as number) - 1;
  const isSaid = (at: number) => at < 0 || accepts(at + 1, at + 1 + quote.length);
  let after = yield* findAfter(text, words, begin);
  while (!isSaid(after)) after = yield* findAfter(text, words, after + 1);
  if (after >= 0 && turnAt(after + 1) === named) return placeOf('exact', after + 1, quote);
  let before = yield* findBefore(text, words, begin);
  while (!isSaid(before)) before = yield* findBefore(text, words, before);
  if (before < 0 && after < 0) return undefined;
  const isBefore = after < 0 || (before >= 0 && named - turnAt(before + 1) <= turnAt(after + 1) - named);
  return placeOf('moved', (isBefore ? before : after) + 1, quote);
}

/** Limit of character comparisons per step: `indexOf` takes up to the product of both lengths. */
const MAX_COMPARISONS = 2_000_000;

/** Finds the first position at or after `from`; -1 if there is none. */
function* findAfter(text: string, words: string, from: number): Steps<number> {
  yield;
  const step = Math.ceil(MAX_COMPARISONS / words.length);
  for (let start = from; start < text.length; start += step) {
    const found = text.slice(start, start + step + words.length - 1).indexOf(words);
    if (found >= 0) return start + found;
    yield;
  }
  return -1;
}

/** Finds the last position before `to`; -1 if there is none. */
function* findBefore(text: string, words: string, to: number): Steps<number> {
  yield;
  const step = Math.ceil(MAX_COMPARISONS / words.length);
  for (let end = to; end > 0; end -= step) {
    const start = Math.max(end - step, 0);
    const found = text.slice(start, end + words.length - 1).lastIndexOf(words);
    if (found >= 0) return start + found;
    yield;
  }
  return -1;
}

const placeOf = (match: Quote['match'], start: number, quote: string): FoundQuote => ({
  match,
  start,
  end: start + quote.length,
});

/** Finds the words with slips, fillers, and numbers written in another way. */
function* findClose(
  conversation: FoldedConversation,
  quote: string,
  named: number,
  accepts: Accepts,
): Steps<FoundQuote | undefined> {
  if (quote.length < MIN_CLOSE_CHARACTERS || quote.length > MAX_CLOSE_CHARACTERS) return undefined;
  const words = yield* readWords(quote);
  if (words.length < MIN_CLOSE_WORDS) return undefined;
  // As many fillers as words, or a third of them misspelled.
  let cells = MAX_CELLS;
  let best: (FoundQuote & { slips: number }) | undefined;
  for (const turn of yield* candidatesOf(conversation, quote.split(' '), named)) {
    const { starts } = conversation;
    const from = starts[turn] as number;
    const said = yield* conversation.wordsFrom(turn);
    cells -= said.length * words.length;
    if (cells < 0) break;
    const found = yield* alignWords(words, said, words.length);
    if (!found || (best && best.slips <= found.slips) || !accepts(from + found.start, from + found.end)) continue;
    best = { match: 'close', start: from + found.start, end: from + found.end, slips: found.slips };
  }
  return best;
}

/** Returns the turns to search, likeliest first: the named one, its neighbors, and those with the rarest words. */
function* candidatesOf(
  { starts, turnsWith }: FoldedConversation,
  words: readonly string[],
  named: number,
): Steps<number[]> {
  const near = [named, named - 1, named + 1].filter((turn) => turn >= 0 && turn < starts.length);
  const places: (readonly number[])[] = [];
  for (const word of new Set(words)) places.push(yield* turnsWith(word));
  const known = places.filter((turns) => turns.length > 0);
  const hits = new Map<number, number>();
  for (const turns of known.sort((a, b) => a.length - b.length).slice(0, RARE_WORDS)) {
    for (const turn of turns) hits.set(turn, (hits.get(turn) ?? 0) + 1);
  }
  const rare = [...hits].sort((a, b) => b[1] - a[1]).slice(0, MAX_CANDIDATES);
  return [...new Set([...near, ...rare.map(([turn]) => turn)])];
}
