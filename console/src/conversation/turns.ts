/** Turns in the document: groups, search, and highlights. The CSS Highlight API does not change the document. */
import type { Turn } from 'conversation-analysis-client';
import type { Quote } from '../../../contract/fields/result-fields.ts';

/** Shows quotes in the transcript. */
export type ShowQuotes = (quotes: readonly Quote[]) => void;

/** Number of turns in a group. The browser skips groups that are out of view, which is faster than skipping single turns. */
const GROUP = 50;
/** Limit of highlighted matches. More, such as those of a single letter, would take seconds to paint. */
const MAX_RANGES = 2_000;

export const groupTurns = (turns: readonly Turn[]): Turn[][] => [
  ...Map.groupBy(turns, (_, index) => Math.floor(index / GROUP)).values(),
];

/** Returns the index of the turn in the conversation. */
export const turnIndex = (group: number, at: number) => group * GROUP + at;

export const turnAt = (list: HTMLElement, index: number) =>
  list.children[Math.floor(index / GROUP)]?.children[index % GROUP];

function textOf(list: HTMLElement, index: number): Text | undefined {
  const node = turnAt(list, index)?.querySelector('[data-text]')?.firstChild;
  return node instanceof Text ? node : undefined;
}

/** Moves the attribute to the turn and returns the turn. If there is no such turn, only removes the attribute. */
export function markTurn(list: HTMLElement, name: string, index: number | undefined): Element | undefined {
  list.querySelector(`[${name}]`)?.removeAttribute(name);
  const turn = index === undefined ? undefined : turnAt(list, index);
  turn?.setAttribute(name, '');
  return turn;
}

/** Returns the index of the turn that contains the element. */
export function indexOfTurn(element: Element | null): number | undefined {
  const turn = element?.closest('[role="listitem"]');
  const group = turn?.parentElement;
  if (!group?.parentElement) return undefined;
  return turnIndex([...group.parentElement.children].indexOf(group), [...group.children].indexOf(turn as Element));
}

/** Marks the turn as found and scrolls to it. The page scrolls only if the turn is still outside of the window. */
export function showTurn(list: HTMLElement, index: number | undefined): void {
  const turn = markTurn(list, 'data-found', index);
  if (!turn?.parentElement) return;
  // Otherwise its group would get its real height only after the list has scrolled to it.
  turn.parentElement.style.contentVisibility = 'visible';
  scrollWithin(list, turn);
  turn.scrollIntoView({ block: 'nearest' });
}

/** Scrolls the list to the turn, and the page only if the end of the list is below the window. */
export function scrollWithin(list: HTMLElement, turn: Element): void {
  const [{ top, bottom }, at] = [list.getBoundingClientRect(), turn.getBoundingClientRect()];
  const end = Math.min(bottom, innerHeight);
  if (at.top >= top && at.bottom <= end) return;
  list.scrollTop += at.top - top - Math.max(0, end - top) / 3;
  if (top < innerHeight && turn.getBoundingClientRect().bottom > innerHeight) turn.scrollIntoView({ block: 'nearest' });
}

/** Returns the indexes of the turns that contain one of the texts, which are in lower case. */
export const findTurns = (turns: readonly Turn[], wanted: readonly string[]): number[] =>
  turns.flatMap(({ text }, index) => (wanted.some((each) => text.toLowerCase().includes(each)) ? [index] : []));

/** Highlights the texts in these turns. Returns a function that removes the highlight. */
export function highlightMatches(list: HTMLElement, found: readonly number[], wanted: readonly string[]): () => void {
  const ranges: Range[] = [];
  for (const index of found) {
    const node = textOf(list, index);
    if (ranges.length >= MAX_RANGES) break;
    if (node) ranges.push(...wanted.flatMap((each) => rangesIn(node, each)));
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
    // Lower case can be longer than the original (İ). Skip matches beyond the end of the original.
    if (at + wanted.length > node.length) break;
    ranges.push(rangeBetween(node, at, node, at + wanted.length));
  }
  return ranges;
}

/** Returns the range of a quote. A quote that spans turns covers the text from the first turn to the last. */
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
