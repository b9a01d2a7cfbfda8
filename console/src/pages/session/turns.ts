/** Turns in the document: groups, search, and highlights, which the browser paints without a change of the document. */
import type { Turn } from 'conversation-analysis-client';
import type { Quote } from '../../../../contract/result-fields.ts';

/** Shows quotes in the transcript. */
export type ShowQuotes = (quotes: readonly Quote[]) => void;

/** Turns in a group. The browser skips groups that are out of view, which is faster than skipping single turns. */
const GROUP = 50;
/** More matches, such as those of a single letter, would take seconds to paint. */
const MAX_RANGES = 2_000;

export const groupTurns = (turns: readonly Turn[]): Turn[][] => [
  ...Map.groupBy(turns, (_, index) => Math.floor(index / GROUP)).values(),
];

/** Returns the number of the turn, from 0. */
export const turnIndex = (group: number, at: number) => group * GROUP + at;

const turnAt = (list: HTMLElement, index: number) => list.children[Math.floor(index / GROUP)]?.children[index % GROUP];

function textOf(list: HTMLElement, index: number): Text | undefined {
  const node = turnAt(list, index)?.lastElementChild?.firstChild;
  return node instanceof Text ? node : undefined;
}

/** Moves the attribute to the turn and returns the turn. Without such a turn, the attribute is removed. */
export function markTurn(list: HTMLElement, name: string, index: number | undefined): Element | undefined {
  list.querySelector(`[${name}]`)?.removeAttribute(name);
  const turn = index === undefined ? undefined : turnAt(list, index);
  turn?.setAttribute(name, '');
  return turn;
}

/** Marks the turn as found and scrolls to it. */
export const showTurn = (list: HTMLElement, index: number | undefined): void =>
  markTurn(list, 'data-found', index)?.scrollIntoView({ block: 'center' });

/** Returns the indexes of the turns that contain the text, in any case. */
export function findTurns(turns: readonly Turn[], query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return turns.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}

/** Highlights the text in these turns. Returns a function that removes the highlight. */
export function highlightMatches(list: HTMLElement, found: readonly number[], query: string): () => void {
  const wanted = query.trim().toLowerCase();
  const ranges: Range[] = [];
  for (const index of found) {
    const node = textOf(list, index);
    if (ranges.length >= MAX_RANGES) break;
    if (node) ranges.push(...rangesIn(node, wanted));
  }
  return paint('transcript-search', ranges);
}

/** Highlights the quotes. Returns a function that removes the highlight. */
export const highlightQuotes = (list: HTMLElement, quotes: readonly Quote[]): (() => void) =>
  paint(
    'quoted-words',
    quotes.flatMap((quote) => rangeOf(list, quote) ?? []),
  );

function paint(name: string, ranges: readonly Range[]): () => void {
  CSS.highlights.set(name, new Highlight(...ranges));
  return () => CSS.highlights.delete(name);
}

function rangesIn(node: Text, wanted: string): Range[] {
  const text = node.data.toLowerCase();
  const ranges: Range[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    // Lower-casing lengthens a few letters, such as İ. Matches behind the end are not painted.
    if (at + wanted.length > node.length) break;
    ranges.push(rangeBetween(node, at, node, at + wanted.length));
  }
  return ranges;
}

/** Returns the range of a quote. A quote of several turns is the text from the first turn to the last. */
function rangeOf(list: HTMLElement, { turn, turn_end = turn, quote }: Quote): Range | undefined {
  const [from, to] = [textOf(list, turn), textOf(list, turn_end)];
  if (!from || !to) return undefined;
  const start = from.data.indexOf(quote);
  if (turn_end !== turn) return rangeBetween(from, Math.max(start, 0), to, to.length);
  return start < 0 ? undefined : rangeBetween(from, start, from, start + quote.length);
}

function rangeBetween(from: Text, start: number, to: Text, end: number): Range {
  const range = new Range();
  range.setStart(from, start);
  range.setEnd(to, end);
  return range;
}
