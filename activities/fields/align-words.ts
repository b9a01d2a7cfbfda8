/** Finds the words of a quote among those that were said, with slips, fillers and numbers written in another way. */
import type { Steps } from './in-slices.ts';
import { isFiller, type SaidWord } from './said-words.ts';
import { slipsBetween } from './same-word.ts';

interface Alignment {
  /** Positions in the folded text. */
  start: number;
  end: number;
  /** Each filler is one, each misspelled letter three. */
  slips: number;
}

const WORDS_PER_STEP = 16;

/** A misspelled word counts as much as three fillers. */
const SLIP = 3;

/**
 * Returns the part of what was said with the fewest slips. Every word of the quote is in it, apart from fillers, and it has no
 * other words. After each said word, `slips[i]` is the number of slips with which the first `i` words of the quote end there,
 * and `starts[i]` the index of the first of these said words.
 */
export function* alignWords(
  quote: readonly SaidWord[],
  said: readonly SaidWord[],
  maxSlips: number,
): Steps<Alignment | undefined> {
  const length = quote.length;
  let slips = Array.from({ length: length + 1 }, () => Infinity);
  let starts = Array.from({ length: length + 1 }, () => 0);
  let [slipsBefore, startsBefore] = [slips, starts];
  let best: Alignment | undefined;
  slips[0] = 0;
  for (const [at, word] of said.entries()) {
    if (at % WORDS_PER_STEP === 0) yield;
    const next = Array.from({ length: length + 1 }, () => Infinity);
    const nextStarts = Array.from({ length: length + 1 }, () => at + 1);
    next[0] = 0;
    const omitted = isFiller(word) ? 1 : Infinity;
    for (let count = 1; count <= length; count++) {
      const quoted = quote[count - 1] as SaidWord;
      const reach = (cost: number, start: number | undefined) => {
        if (cost >= (next[count] as number) || cost > maxSlips) return;
        next[count] = cost;
        nextStarts[count] = start ?? at;
      };
      const before = slips[count - 1] as number;
      if (before <= maxSlips)
        reach(before + SLIP * (slipsBetween(word, quoted) ?? Infinity), count === 1 ? at : starts[count - 1]);
      if (count < length) reach((slips[count] as number) + omitted, starts[count]);
      if (count > 1 && isFiller(quoted)) reach((next[count - 1] as number) + 1, nextStarts[count - 1]);
      // One word was written as two, or two as one.
      const [lastSaid, lastQuoted] = [said[at - 1], quote[count - 2]];
      if (lastSaid && areTogether(lastSaid, word, quoted))
        reach((slipsBefore[count - 1] as number) + 1, count === 1 ? at - 1 : startsBefore[count - 1]);
      if (lastQuoted && areTogether(lastQuoted, quoted, word))
        reach((slips[count - 2] as number) + 1, count === 2 ? at : starts[count - 2]);
    }
    const needed = next[length] as number;
    if (needed <= maxSlips && (best === undefined || needed < best.slips))
      best = { start: said[nextStarts[length] as number]?.start ?? 0, end: word.end, slips: needed };
    [slipsBefore, startsBefore, slips, starts] = [slips, starts, next, nextStarts];
  }
  return best;
}

const areTogether = (first: SaidWord, second: SaidWord, one: SaidWord): boolean =>
  one.apart === `${first.text} ${second.text}` ||
  (first.text.length + second.text.length === one.text.length && first.text + second.text === one.text);
