/** Shows in the conversation the words that a value follows from. They are painted by the browser, as found words are. */
import { useEffect } from 'react';
import type { RefObject } from 'react';
import type { Quote } from '../../../../contract/result-fields.ts';
import type { Playback } from './playback.ts';
import { show, textOf } from './turns.ts';

const NAME = 'quoted-words';

/** @param quoted what was asked to be shown last; asking for the same again shows it again. */
export function useQuotedWords(
  list: RefObject<HTMLElement | null>,
  quoted: readonly Quote[],
  playback: Playback | undefined,
): void {
  useEffect(() => {
    const [first] = quoted;
    if (!first || !list.current) return undefined;
    paint(list.current, quoted);
    show(list.current, first.turn);
    if (first.start_s !== undefined) playback?.playFrom(first.start_s);
    return () => {
      if ('highlights' in CSS) CSS.highlights.delete(NAME);
    };
  }, [list, quoted, playback]);
}

function paint(list: HTMLElement, quoted: readonly Quote[]): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set(NAME, new Highlight(...quoted.flatMap((quote) => rangeOf(list, quote) ?? [])));
}

/** Returns where the words stand; of two turns from the first one's beginning to the other's end. */
function rangeOf(list: HTMLElement, { turn, turn_end = turn, quote }: Quote): Range | undefined {
  const [from, to] = [textOf(list, turn), textOf(list, turn_end)];
  if (!from || !to) return undefined;
  const range = document.createRange();
  const start = from.data.indexOf(quote);
  if (turn_end === turn && start < 0) return undefined;
  range.setStart(from, Math.max(start, 0));
  range.setEnd(to, turn_end === turn ? start + quote.length : to.length);
  return range;
}
