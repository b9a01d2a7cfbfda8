/** Finding words in a conversation. What is found is painted by the browser; the document stays as it is. */
import type { Turn } from '../../../../clients/typescript/src/index.ts';
import { textOf } from './turns.ts';

const NAME = 'transcript-search';
/** A single letter is found in every turn: painting all of it would take longer than anyone looks. */
const MAX_RANGES = 2_000;

/** Returns the indexes of the turns that hold the text, in any case. */
export function findTurns(turns: readonly Turn[], query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return turns.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}

export function highlight(list: HTMLElement, found: readonly number[], query: string): void {
  const wanted = query.trim().toLowerCase();
  if (wanted === '' || !('highlights' in CSS)) return;
  const ranges: Range[] = [];
  for (const index of found) {
    const node = textOf(list, index);
    if (ranges.length >= MAX_RANGES) break;
    if (node) ranges.push(...rangesIn(node, wanted));
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}

function rangesIn(node: Node, wanted: string): Range[] {
  const text = (node.textContent ?? '').toLowerCase();
  const ranges: Range[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    // Lower-casing changes the length of a few letters; such a turn is found, and not painted.
    if (at + wanted.length > (node.nodeValue ?? '').length) break;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    ranges.push(range);
  }
  return ranges;
}

export function clearHighlights(): void {
  if ('highlights' in CSS) CSS.highlights.delete(NAME);
}
