/** The words of a conversation, prepared for searching quotes. */
import { normalForm } from '../../contract/fields/fold.ts';
import type { Turn } from '../../contract/sessions/sessions.ts';
import { piecesOf } from '../../contract/fields/pieces.ts';
import type { Steps } from './in-slices.ts';

export interface SpokenWords {
  turns: readonly Turn[];
  /** The normal form of each speaker's name. */
  speakers: ReadonlyMap<string, string>;
  /** The number of each word, the same for equal words. Negative between the turns of two speakers. */
  ids: readonly number[];
  /** Of each word: index of its turn, and its position in the turn's text. */
  turnOf: readonly number[];
  starts: readonly number[];
  ends: readonly number[];
  /** Returns the number of a word; undefined if nobody said it. */
  idOf(word: string): number | undefined;
}

/** Sounds that are not words. None of them is a word or a unit in a common language, such as "er" and "mm". */
const SOUNDS = new Set('um umm uh uhh uhm erm hm hmm mmm э ээ эээ эм эмм хм ммм'.split(' '));

const WORDS_PER_STEP = 500;
const NEXT_SPEAKER = -1;

/** Returns the words of a text without sounds. */
export function* readWords(text: string, known?: Map<string, readonly string[]>) {
  for (const { start, end, words } of piecesOf(text, known)) {
    for (const word of words) if (!SOUNDS.has(word)) yield { word, start, end };
  }
}

export function* indexWords(turns: readonly Turn[]): Steps<SpokenWords> {
  const [ids, turnOf, starts, ends]: [number[], number[], number[], number[]] = [[], [], [], []];
  const numbers = new Map<string, number>();
  const known = new Map<string, readonly string[]>();
  const add = (id: number, turn: number, start = 0, end = 0) => {
    ids.push(id);
    turnOf.push(turn);
    starts.push(start);
    ends.push(end);
  };
  for (const [index, { role, text }] of turns.entries()) {
    yield;
    if (index > 0 && turns[index - 1]?.role !== role) add(NEXT_SPEAKER, -1);
    for (const { word, start, end } of readWords(text, known)) {
      if (ids.length % WORDS_PER_STEP === 0) yield;
      const id = numbers.get(word) ?? numbers.size;
      numbers.set(word, id);
      add(id, index, start, end);
    }
  }
  const speakers = new Map([...new Set(turns.map(({ role }) => role))].map((role) => [role, normalForm(role)]));
  return { turns, speakers, ids, turnOf, starts, ends, idOf: (word) => numbers.get(word) };
}
