/** Finds the passage that is most like a quote that was not said. */
import type { IsBy, Passage } from './find-quote.ts';
import type { Steps } from './in-slices.ts';
import type { SpokenWords } from './spoken-words.ts';

/** A passage may have half as many words more than the quote. */
const LONGEST = 1.5;
const STEP = 20_000;

/** Returns the passage of one speaker that has most words of the quote; undefined if none has more than half of them. */
export function* nearestPassage(
  { ids, turnOf, turns, idOf }: SpokenWords,
  words: readonly string[],
  isBy: IsBy,
): Steps<Passage | undefined> {
  /** How often each word of the quote is missing in the window; negative if the window has more of them. */
  const missing = new Map<number, number>();
  for (const id of words.map((word) => idOf(word) ?? -2)) missing.set(id, (missing.get(id) ?? 0) + 1);
  const longest = Math.ceil(words.length * LONGEST);
  let [first, common, most] = [0, 0, Math.floor(words.length / 2)];
  let best: Passage | undefined;
  const leave = (id: number) => {
    const count = missing.get(id);
    if (count === undefined) return;
    missing.set(id, count + 1);
    if (count >= 0) common--;
  };
  for (let last = 0; last < ids.length; last++) {
    if (last % STEP === 0) yield;
    const id = ids[last] as number;
    const isOther = id < 0 || !isBy(turns[turnOf[last] as number]?.role ?? '');
    while (first < last && (isOther || last - first >= longest)) leave(ids[first++] as number);
    const count = isOther ? undefined : missing.get(id);
    if (isOther) first = last + 1;
    if (count !== undefined) {
      missing.set(id, count - 1);
      if (count > 0) common++;
    }
    if (common > most) [most, best] = [common, { first, last }];
  }
  if (!best) return undefined;
  const { last } = best;
  let begin = best.first;
  while (!missing.has(ids[begin] as number)) begin++;
  return { first: begin, last };
}
