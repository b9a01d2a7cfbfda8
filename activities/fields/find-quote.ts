/** Finds a model's quote in a conversation, word for word, in linear time. docs/results.md, "Verified quotes". */
import { normalForm } from '../../contract/fields/fold.ts';
import type { Steps } from './in-slices.ts';
import { weightOf } from '../../contract/fields/pieces.ts';
import { readWords, type SpokenWords } from './spoken-words.ts';

/** The first and the last word of a passage. */
export interface Passage {
  first: number;
  last: number;
}

/** The number and the time of a turn, as in the prompt: "#3 [1:15] client: …". */
const PLACE = /^\s*(?:#\d{1,5}\s{1,3})?(?:\[\d{1,4}:\d\d\]\s{1,3})?/;
/** No name is longer. */
const MAX_NAME = 100;
const OMISSION = /…|\.{3,}/;
/** Two words, or four letters of a script without blanks. */
const MIN_WEIGHT = 4;
/** Words per step. */
const STEP = 20_000;

/** Phrases that were said more often than this are found only at their first places. */
const MAX_PASSAGES = 5_000;

/** Returns whether a speaker is accepted. */
export type IsBy = (speaker: string) => boolean;

/** Returns the name of a speaker before a colon, in its normal form, and the words after it. */
export function splitSpeaker({ speakers }: SpokenWords, claimed: string): { speaker?: string; words: string } {
  const words = claimed.replace(PLACE, '');
  const colon = words.slice(0, MAX_NAME).indexOf(':');
  const speaker = normalForm(words.slice(0, Math.max(colon, 0)));
  const isSpeaker = speaker !== '' && [...speakers.values()].includes(speaker);
  return isSpeaker ? { speaker, words: words.slice(colon + 1) } : { words };
}

/**
 * Returns the passages of a quote: one, or several if it has "…". All are by one speaker, in this order, and the first is
 * as near as possible to the named turn. Undefined if the words were not said.
 */
export function* findQuote(
  spoken: SpokenWords,
  claimed: string,
  turn: number,
  isBy: IsBy,
): Steps<Passage[] | undefined> {
  const { speaker, words } = splitSpeaker(spoken, claimed);
  const isNamed = (role: string) => isBy(role) && spoken.speakers.get(role) === speaker;
  const attempts: [text: string, isBy: IsBy][] = [[claimed.replace(PLACE, ''), isBy]];
  if (speaker !== undefined) attempts.unshift([words, isNamed]);
  for (const [text, isRight] of attempts) {
    const parts = text.split(OMISSION).filter((part) => part.trim() !== '');
    for (const together of parts.length > 1 ? [[text], parts] : [[text]]) {
      const found = yield* findParts(spoken, together, turn, isRight);
      if (found) return found;
    }
  }
  return undefined;
}

function* findParts(
  spoken: SpokenWords,
  parts: readonly string[],
  turn: number,
  isBy: IsBy,
): Steps<Passage[] | undefined> {
  const speakerOf = ({ first }: Passage) => spoken.turns[spoken.turnOf[first] ?? 0]?.role ?? '';
  const distance = ({ first }: Passage) => Math.abs((spoken.turnOf[first] ?? 0) - turn);
  const found: Map<string, Passage[]>[] = [];
  for (const part of parts) found.push(Map.groupBy(yield* passagesOf(spoken, part, isBy), speakerOf));
  const bySpeaker = [...(found[0]?.keys() ?? [])].flatMap((speaker) => {
    const passages = inOrder(
      found.map((each) => each.get(speaker) ?? []),
      distance,
    );
    return passages ? [passages] : [];
  });
  return nearest(bySpeaker, ([first]) => distance(first as Passage));
}

/** Returns one passage of each part, each after the one before; the first is the nearest that the others can follow. */
function inOrder(parts: readonly Passage[][], distance: (passage: Passage) => number): Passage[] | undefined {
  let limit = Infinity;
  for (const passages of parts.toReversed()) limit = passages.findLast(({ last }) => last < limit)?.first ?? -1;
  let at = nearest(
    (parts[0] ?? []).filter(({ first }) => first <= limit),
    distance,
  );
  if (!at) return undefined;
  const chosen = [at];
  for (const passages of parts.slice(1)) {
    const { last: end }: Passage = at;
    at = passages.find(({ first }) => first > end) as Passage;
    chosen.push(at);
  }
  return chosen;
}

function nearest<T>(places: readonly T[], distance: (place: T) => number): T | undefined {
  let best: T | undefined;
  for (const place of places) if (best === undefined || distance(place) < distance(best)) best = place;
  return best;
}

/** Returns where a speaker says the words. One word is too little, unless it has a digit or is a whole turn. */
function* passagesOf(spoken: SpokenWords, text: string, isBy: IsBy): Steps<Passage[]> {
  const { turns, turnOf } = spoken;
  const words = [...readWords(text)].map(({ word }) => word);
  const ids = words.map((word) => spoken.idOf(word));
  if (words.length === 0 || ids.includes(undefined)) return [];
  const weight = words.reduce((sum, word) => sum + weightOf(word), 0);
  const isEnough = weight >= MIN_WEIGHT || words.some((word) => /\p{N}/u.test(word));
  const isWhole = ({ first, last }: Passage) =>
    turnOf[first - 1] !== turnOf[first] && turnOf[last + 1] !== turnOf[last];
  return yield* search(
    spoken.ids,
    ids as number[],
    (passage) => (isEnough || isWhole(passage)) && isBy(turns[turnOf[passage.first] ?? 0]?.role ?? ''),
  );
}

/** The algorithm of Knuth, Morris and Pratt, whose time is linear. */
function* search(
  said: readonly number[],
  wanted: readonly number[],
  accepts: (passage: Passage) => boolean,
): Steps<Passage[]> {
  const fallback = [0];
  let count = 0;
  const follow = (id: number) => {
    while (count > 0 && wanted[count] !== id) count = fallback[count - 1] ?? 0;
    if (wanted[count] === id) count++;
  };
  for (const id of wanted.slice(1)) {
    follow(id);
    fallback.push(count);
  }
  const found: Passage[] = [];
  count = 0;
  for (let at = 0; at < said.length && found.length < MAX_PASSAGES; at++) {
    if (at % STEP === 0) yield;
    follow(said[at] as number);
    if (count < wanted.length) continue;
    const passage = { first: at - count + 1, last: at };
    if (accepts(passage)) found.push(passage);
  }
  return found;
}
