/** Joins the parts of numbers that a speaker dictates with pauses, corrections and short replies by others. */
import { isCard, isPinfl, PASSPORT } from './checks.ts';
import { fits, isNumberSign, labelsBefore } from './labels.ts';
import { isSpokenWord } from './tokens.ts';
import type { Atom, Conversation } from './types.ts';
import type { Label } from './words/words.ts';

/** A number that one speaker dictates. */
export interface Segment {
  atoms: Atom[];
  digits: string;
  /** Digits and letters. */
  characters: string;
}

/** Maximum number of words by other speakers that don't interrupt a number. */
const MAX_REPLY_WORDS = 3;
const MAX_TURNS = 4;
/** Maximum number of tokens between two parts of a number. Also keeps the search linear. */
const MAX_TOKENS_BETWEEN = 60;
/** Maximum number of words between parts that are joined only if the result is a valid number. */
const MAX_WORDS_BETWEEN_VALID = 40;
/** The same for numbers of documents, which have no check digit. */
const MAX_WORDS_BETWEEN_ID = 3;
/** Maximum number of own words around a correction, or around a word such as "last", between two parts. */
const MAX_WORDS_OF_CORRECTION = 6;
const MAX_WORDS_OF_CONTINUATION = 3;
const MAX_PARTS = 6;

interface Gap {
  ownWords: number;
  otherWords: number;
  hasCorrection: boolean;
  hasContinuation: boolean;
  /** Whether a word for ordinary numbers is shortly before the second part. */
  isOrdinary: boolean;
  /** Whether a word for another kind of number, or an amount, is between the parts. */
  isBlocked: boolean;
}

const OPEN: Gap = {
  ownWords: 0,
  otherWords: 0,
  hasCorrection: false,
  hasContinuation: false,
  isOrdinary: false,
  isBlocked: false,
};
const CLOSED: Gap = { ...OPEN, isBlocked: true };

/** Returns the numbers of all speakers, in the order of their first tokens. */
export function readSegments(conversation: Conversation, atoms: readonly Atom[]): Segment[] {
  const bySpeaker = Map.groupBy(
    atoms.filter(({ isAmount }) => !isAmount),
    ({ first }) => conversation.speakers[conversation.tokens[first]?.turn ?? 0],
  );
  return [...bySpeaker.values()]
    .flatMap((own) => joinValidParts(conversation, joinAtoms(conversation, own)))
    .filter(({ digits }) => digits !== '')
    .sort((a, b) => firstOf(a) - firstOf(b));
}

export const firstOf = ({ atoms }: Segment): number => atoms[0]?.first ?? 0;
/** Returns whether a plus is before a number. */
export const isAfterPlus = ({ tokens }: Conversation, first: number): boolean =>
  tokens[first - 1]?.isPlus === true && tokens[first - 1]?.turn === tokens[first]?.turn;
export const lastOf = ({ atoms }: Segment): number => atoms.at(-1)?.last ?? 0;

function toSegment(atoms: Atom[]): Segment {
  return {
    atoms,
    digits: atoms.map(({ digits }) => digits).join(''),
    characters: atoms.map(({ characters }) => characters).join(''),
  };
}

function joinAtoms(conversation: Conversation, atoms: readonly Atom[]): Segment[] {
  const segments: Segment[] = [];
  let current: Atom[] = [];
  for (const atom of atoms) {
    const before = current.at(-1);
    if (before && !continues(conversation, current, before, atom)) {
      segments.push(toSegment(current));
      current = [];
    }
    current.push(atom);
  }
  if (current.length > 0) segments.push(toSegment(current));
  return segments;
}

function continues(conversation: Conversation, current: readonly Atom[], before: Atom, atom: Atom): boolean {
  const gap = gapBetween(conversation, before, atom);
  const maxOwnWords = gap.hasCorrection ? MAX_WORDS_OF_CORRECTION : gap.hasContinuation ? MAX_WORDS_OF_CONTINUATION : 0;
  if (gap.isBlocked || gap.isOrdinary || gap.ownWords > maxOwnWords || gap.otherWords > MAX_REPLY_WORDS) return false;
  // The first condition keeps the search linear.
  const isWhole = () => current.length > MAX_CARD_ATOMS || conversation.isPhone(toSegment([...current]).digits, false);
  if (gap.ownWords > 0 && !gap.hasContinuation && isWhole()) return false;
  const { tokens } = conversation;
  if (tokens[before.last]?.turn === tokens[atom.first]?.turn || current.length > MAX_CARD_ATOMS) return true;
  return !isComplete(current.map(({ characters }) => characters).join(''));
}

const MAX_CARD_ATOMS = 19;
const isComplete = (characters: string): boolean => isCard(characters) || PASSPORT.test(characters);

function gapBetween({ tokens, speakers, isOfNumber }: Conversation, before: Atom, after: Atom): Gap {
  const [own, last] = [tokens[before.last]?.turn ?? 0, tokens[after.first]?.turn ?? 0];
  if (after.first - before.last > MAX_TOKENS_BETWEEN || last - own > MAX_TURNS) return CLOSED;
  const gap = { ...OPEN };
  for (const [offset, token] of tokens.slice(before.last + 1, after.first).entries()) {
    if (isOfNumber[before.last + 1 + offset] === 1) continue;
    if (token.isBarrier || isOfOtherKind(token.label)) return CLOSED;
    const isSignOfNumber = isNumberSign(token) && after.first - before.last === 2;
    if (
      token.label === 'ordinary' &&
      !isSignOfNumber &&
      after.first - (before.last + 1 + offset) <= TOKENS_BEFORE_ORDINARY
    )
      gap.isOrdinary = true;
    if (token.isCorrection) gap.hasCorrection = true;
    if (token.isContinuation && own === last) gap.hasContinuation = true;
    if (!isSpokenWord(token)) continue;
    if (speakers[token.turn] === speakers[own]) gap.ownWords++;
    else gap.otherWords++;
  }
  return gap;
}

/** Returns what kind of number is asked for or named before a number. */
const askedKind = (conversation: Conversation, first: number) =>
  labelsBefore(conversation, first).find(({ label }) => label !== 'ordinary' && label !== 'number')?.label;

/** How near to a number a word for ordinary numbers must be to belong to it, in tokens. */
const TOKENS_BEFORE_ORDINARY = 5;

const isOfOtherKind = (label: Label | undefined): boolean =>
  label !== undefined && label !== 'number' && label !== 'card' && label !== 'ordinary';

/** Joins parts with other words between them if the result is a valid number. */
function joinValidParts(conversation: Conversation, segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (let index = 0; index < segments.length;) {
    const parts = validParts(conversation, segments, index);
    joined.push(toSegment(segments.slice(index, index + parts).flatMap(({ atoms }) => atoms)));
    index += parts;
  }
  return joined;
}

function validParts(conversation: Conversation, segments: readonly Segment[], index: number): number {
  const first = segments[index];
  let digits = first?.digits ?? '';
  let wordsBetween = 0;
  const asked = first && askedKind(conversation, firstOf(first));
  if (digits.length < 2 || isComplete(first?.characters ?? '')) return 1;
  for (let count = 2; count <= MAX_PARTS; count++) {
    const [before, part] = [segments[index + count - 2], segments[index + count - 1]];
    const [end, begin] = [before?.atoms.at(-1), part?.atoms[0]];
    if (!part || !end || !begin || part.digits.length < 2) return 1;
    const gap = gapBetween(conversation, end, begin);
    wordsBetween = Math.max(wordsBetween, gap.ownWords + gap.otherWords);
    digits += part.digits;
    if (gap.isBlocked || wordsBetween > MAX_WORDS_BETWEEN_VALID || digits.length > 19) return 1;
    if (isCard(digits) || isPinfl(digits) || (asked === 'card' && digits.length === 16)) return count;
    const isInTwo = count === 2 && !gap.isOrdinary && wordsBetween <= MAX_WORDS_BETWEEN_ID && part.digits.length >= 3;
    // "passport 4509 number 612345"
    if (isInTwo && asked === 'id' && !fits('id', first?.digits.length ?? 0) && fits('id', digits.length)) return count;
  }
  return 1;
}

/** Maximum number of tokens, such as "uh" and signs, beside a number that is a whole turn. */
const MAX_FILLERS = 12;

/** Returns whether a number, with pauses, is all that its speaker says in the turn. */
export function isWholeTurn({ tokens, isOfNumber }: Conversation, segment: Segment): boolean {
  const isAlone = (start: number, step: 1 | -1) => {
    const turn = tokens[start]?.turn;
    for (let at = start + step; tokens[at]?.turn === turn; at += step) {
      const token = tokens[at];
      if (Math.abs(at - start) > MAX_FILLERS || isOfNumber[at] === 1 || (token && isSpokenWord(token))) return false;
    }
    return true;
  };
  return isAlone(firstOf(segment), -1) && isAlone(lastOf(segment), 1);
}
