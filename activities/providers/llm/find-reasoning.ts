/** Finds the reasoning that a server left in a model's text. A draft in it is no answer. */
import type { JsonSpan } from './find-json.ts';

/** Tags such as `<think>`, `</seed:reasoning>`, `[THINK]`, `<|begin_of_thought|>` and `◁/think▷`. */
const TAG =
  /(?:<\|?|\[|◁)(\/|end)?[\w:. -]{0,20}?(?:think|thought|reason|reflect|scratchpad|rationale|monologue|draft)[\w:. -]{0,20}(?:\|?>|\]|▷)/gi;

/** The channels of Gemma and Harmony, and the foldable block of Open WebUI. The first group is the end of the reasoning. */
const CHANNEL =
  /(<channel\|>|<\|channel\|?>\s{0,9}final|<\|end\|>|<\/details>)|<\|channel\|?>|<details[^<>]{0,99}reasoning[^<>]{0,99}>/gi;

/**
 * Returns whether a position is inside reasoning. Text before an end without a beginning is reasoning, and so is text after
 * a beginning without an end. Tags inside JSON values are text.
 */
export function findReasoning(text: string, spans: readonly JsonSpan[]): (at: number) => boolean {
  const outside = maskSpans(text, spans);
  const markers = [TAG, CHANNEL]
    .flatMap((expression) => [...outside.matchAll(expression)])
    .map(({ index, 1: end }) => ({ index, isEnd: end !== undefined }))
    .sort((a, b) => a.index - b.index);
  const ranges: { from: number; to: number }[] = [];
  let from = 0;
  let isOpen = false;
  for (const { index, isEnd } of markers) {
    if (isEnd) {
      ranges.push({ from: isOpen ? from : 0, to: index });
      isOpen = false;
    } else if (!isOpen) {
      from = index;
      isOpen = true;
    }
  }
  if (isOpen) ranges.push({ from, to: text.length });
  const inside = new Uint8Array(text.length);
  let marked = 0;
  for (const { from: start, to } of ranges) {
    inside.fill(1, start === 0 ? marked : start, to);
    marked = start === 0 ? Math.max(marked, to) : marked;
  }
  return (at) => inside[at] === 1;
}

/** Returns a text without JSON, its reasoning and the markers around it. */
export function withoutReasoning(text: string): string {
  const isReasoning = findReasoning(text, []);
  const said = text.replaceAll(/[^]/g, (character, index: number) => (isReasoning(index) ? '' : character));
  return said.replaceAll(TAG, '').replaceAll(CHANNEL, '');
}

/** Replaces the values with blanks of the same length. */
function maskSpans(text: string, spans: readonly JsonSpan[]): string {
  let end = 0;
  const parts = spans.flatMap((span) => {
    const part = [text.slice(end, span.start), ' '.repeat(span.end - span.start)];
    end = span.end;
    return part;
  });
  return [...parts, text.slice(end)].join('');
}
