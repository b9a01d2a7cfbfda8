/** Finds where in a conversation a model's quotation stands. docs/decisions.md, "Evidence". */
import type { Quote } from '../../contract/result-fields.ts';
import { findApproximate } from './approximate-search.ts';
import type { FoldedConversation } from './folded-conversation.ts';
import { tellingWords } from './telling-words.ts';

/** A place in the folded conversation. */
export interface FoundQuote {
  match: Quote['match'];
  start: number;
  end: number;
}

/** A quotation is only compared loosely where it is long enough for slips to be told from other words. */
const MIN_CLOSE_WORDS = 4;
const MIN_CLOSE_CHARACTERS = 20;
const MAX_CLOSE_CHARACTERS = 1_000;

/** The share of a quotation's characters that may differ. */
const MAX_EDIT_SHARE = 0.15;

/** By how many of its rarest words a quotation is looked for, and in how many turns that have them. */
const RARE_WORDS = 6;
const MAX_CANDIDATES = 20;

/** Steps of the loose comparison that one quotation may take: some tens of milliseconds. */
const MAX_CELLS = 20_000_000;

/** @param quote folded. @param turn the turn that the model named, which may be any number. */
export function findQuote(conversation: FoldedConversation, quote: string, turn: number): FoundQuote | undefined {
  if (quote === '') return undefined;
  const named = Math.min(Math.max(Math.trunc(turn) || 0, 0), conversation.starts.length - 1);
  return findExact(conversation, quote, named) ?? findClose(conversation, quote, named);
}

/** Finds the very words, at the place nearest the named turn. */
function findExact({ text, starts, turnAt }: FoldedConversation, quote: string, named: number): FoundQuote | undefined {
  const words = ` ${quote} `;
  const begin = (starts[named] as number) - 1;
  const after = text.indexOf(words, begin);
  if (after >= 0 && turnAt(after + 1) === named) return placeOf('exact', after + 1, quote);
  const before = begin === 0 ? -1 : text.lastIndexOf(words, begin - 1);
  if (before < 0 && after < 0) return undefined;
  const isBefore = after < 0 || (before >= 0 && named - turnAt(before + 1) <= turnAt(after + 1) - named);
  return placeOf('moved', (isBefore ? before : after) + 1, quote);
}

const placeOf = (match: Quote['match'], start: number, quote: string): FoundQuote => ({
  ...{ match, start },
  end: start + quote.length,
});

/** Finds the words with slips of the pen, but with every number and negation as it was said. */
function findClose(conversation: FoldedConversation, quote: string, named: number): FoundQuote | undefined {
  const words = quote.split(' ');
  if (words.length < MIN_CLOSE_WORDS || quote.length < MIN_CLOSE_CHARACTERS) return undefined;
  if (quote.length > MAX_CLOSE_CHARACTERS) return undefined;
  const told = tellingWords(quote);
  let cells = MAX_CELLS;
  let best: (FoundQuote & { edits: number }) | undefined;
  for (const turn of candidatesOf(conversation, words, named)) {
    const { text, starts } = conversation;
    const from = starts[turn] as number;
    const part = text.slice(from, starts[turn + 2] ?? text.length).trimEnd();
    cells -= part.length * quote.length;
    if (cells < 0) break;
    const found = findApproximate(quote, part, Math.floor(quote.length * MAX_EDIT_SHARE));
    if (!found || (best && best.edits <= found.edits)) continue;
    const place = toWholeWords(part, found);
    if (tellingWords(part.slice(place.start, place.end)) !== told) continue;
    best = { match: 'close', start: from + place.start, end: from + place.end, edits: found.edits };
  }
  return best;
}

/** Returns the turns to look in, the likeliest first: those around the named one, and those with the rarest words. */
function candidatesOf({ starts, turnsWith }: FoldedConversation, words: readonly string[], named: number): number[] {
  const near = [named, named - 1, named + 1].filter((turn) => turn >= 0 && turn < starts.length);
  const places = [...new Set(words)].map(turnsWith).filter((turns) => turns.length > 0);
  const hits = new Map<number, number>();
  for (const turns of places.sort((a, b) => a.length - b.length).slice(0, RARE_WORDS)) {
    for (const turn of turns) hits.set(turn, (hits.get(turn) ?? 0) + 1);
  }
  const rare = [...hits].sort((a, b) => b[1] - a[1]).slice(0, MAX_CANDIDATES);
  return [...new Set([...near, ...rare.map(([turn]) => turn)])];
}

function toWholeWords(text: string, { start, end }: { start: number; end: number }) {
  const before = text.lastIndexOf(' ', start) + 1;
  const after = text.indexOf(' ', end);
  // A match may begin or end at the blank beside a word.
  const begins = text[start] === ' ' ? start + 1 : before;
  return { start: begins, end: text[end - 1] === ' ' ? end - 1 : after < 0 ? text.length : after };
}
