/** Reads spoken and written numbers, and the letters of document numbers. */
import { markAmounts } from './amounts.ts';
import { isNumber } from './sounding-words.ts';
import { follows, type Token } from './tokens.ts';
import type { Atom } from './types.ts';

export function readAtoms(tokens: readonly Token[]): Atom[] {
  const atoms: Atom[] = [];
  for (let index = 0; index < tokens.length;) {
    const atom = readAtom(tokens, index);
    if (atom) atoms.push(atom);
    index = atom ? atom.last + 1 : index + 1;
  }
  markAmounts(tokens, atoms);
  return atoms;
}

function readAtom(tokens: readonly Token[], index: number): Atom | undefined {
  const token = tokens[index];
  if (!token || (token.isBarrier && token.grouped === undefined)) return undefined;
  const spoken = (last: number, digits: string, isAmount = false): Atom => ({
    first: index,
    last,
    digits,
    characters: digits,
    isSpoken: true,
    isAmount,
  });
  if (token.grouped !== undefined) return { ...spoken(index, token.grouped), isSpoken: false, isGrouped: true };
  const next = follows(tokens, index);
  if (token.digits !== undefined) {
    const isAmount = (next?.number?.value ?? 0) >= 1000;
    return { ...spoken(isAmount ? index + 1 : index, token.digits, isAmount), isSpoken: false };
  }
  if (token.repeats !== undefined) {
    const digit = next?.number?.value ?? next?.digitNoun;
    return digit !== undefined && digit < 10 ? spoken(index + 1, String(digit).repeat(token.repeats)) : undefined;
  }
  if (token.number && isNumber(tokens, index)) {
    const { value } = token.number;
    if (next?.digitNoun !== undefined && value > 1 && value < 5) {
      return spoken(index + 1, String(next.digitNoun).repeat(value));
    }
    const group = readDigitGroup(tokens, index);
    return { ...spoken(group.last, String(group.value), group.isAmount), ...(group.isGrouped && { isGrouped: true }) };
  }
  if (token.digitNoun !== undefined) return spoken(index, String(token.digitNoun));
  if (token.letters === undefined || token.label || token.isFiller || token.isUnit) return undefined;
  // The English "I", or a one-letter word at the start of a Russian sentence.
  const partner = next?.folded === ',' ? follows(tokens, index + 1) : next;
  if (!token.isSpelled && ONE_LETTER_WORD.test(token.letters) && !isPartOfDocument(partner)) return undefined;
  const digits = token.letters.replaceAll(/\P{Nd}/gu, '');
  return { ...spoken(index, digits), characters: token.letters.toUpperCase(), isSpoken: false };
}

const ONE_LETTER_WORD = /^[AI\p{Script=Cyrillic}]$/u;

const isPartOfDocument = (next: Token | undefined): boolean =>
  next !== undefined && (next.letters !== undefined || next.digits !== undefined || next.number !== undefined);

interface Group {
  value: number;
  last: number;
  isAmount: boolean;
  isGrouped: boolean;
}

/**
 * Returns the number that starts at `index`, with all words that combine to one number: "forty two" is 42, but "four two" are two
 * numbers. Each next word must be smaller than `room`.
 */
function readDigitGroup(tokens: readonly Token[], index: number): Group {
  const group: Group = { value: 0, last: index, isAmount: false, isGrouped: false };
  let part = 0;
  let room = Number.POSITIVE_INFINITY;
  let hasThousand = false;
  const words = tokens[index]?.number?.words;
  for (let at: number | undefined = index; at !== undefined; at = nextOfGroup(tokens, at, part)) {
    const number = tokens[at]?.number;
    if (!number || !isNumber(tokens, at)) break;
    const { value } = number;
    if (number.words !== words && value < 1_000_000) break;
    const before = number.words.largestBeforeHundred;
    if (value === 1_000_000) {
      group.value = (group.value + part || 1) * value;
      group.isGrouped = true;
      hasThousand = false;
      room = value;
      part = 0;
    } else if (value === 1000 && !hasThousand && (room === Number.POSITIVE_INFINITY || part > 0)) {
      group.value += (part || 1) * value;
      hasThousand = true;
      room = value;
      part = 0;
    } else if (value === 100 && part > 0 && part <= before) {
      part *= value;
      room = value;
    } else if (value < room && (value > 0 || at === index)) {
      part += value;
      room = roomAfter(value, before);
    } else break;
    group.last = at;
  }
  group.isAmount = part === 0 && (hasThousand || group.isGrouped);
  group.value += part;
  return group;
}

function roomAfter(value: number, largestBeforeHundred: number): number {
  if (value >= 100) return 100;
  // Only in Uzbek is 11 "ten one".
  if (value >= 20 || (value === 10 && largestBeforeHundred === 9)) return 10;
  return 0;
}

/** Returns the index of the word that can continue a group. Skips a hyphen, and "and" after a hundred. */
function nextOfGroup(tokens: readonly Token[], at: number, part: number): number | undefined {
  const next = follows(tokens, at);
  const second = follows(tokens, at + 1);
  if (!next) return undefined;
  if (next.emailSign === '-' && !next.isWord && next.isAttached && second?.isAttached) return at + 2;
  if (next.folded === 'and' && second?.number && part % 100 === 0) return at + 2;
  // "three hundred million, two hundred thousand"
  if (next.folded === ',' && part === 0 && second?.number && second.number.value < 1000) return at + 2;
  return at + 1;
}
