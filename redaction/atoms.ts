/** Reads spoken and written numbers, and the letters of document numbers. */
import { CARD_DIGITS } from './checks.ts';
import type { Token } from './tokens.ts';

/** The smallest part of a dictated number: "forty-two", "double five", `4276`, `AA`. */
export interface Atom {
  /** Indexes of the first and the last token. */
  first: number;
  last: number;
  digits: string;
  /** Digits, and letters in upper case. */
  characters: string;
  isSpoken: boolean;
  /** Whether the number is a price, a quantity, a date or a time. */
  isAmount: boolean;
}

/** Limit of groups of three digits before the last group of a written amount. */
const MAX_THOUSANDS = 3;
/** A longer number is never an amount, even before a unit. */
const MAX_AMOUNT_DIGITS = 9;
const CURRENCY = /^[$€£₽]$/u;

export function readAtoms(tokens: readonly Token[]): Atom[] {
  const atoms: Atom[] = [];
  for (let index = 0; index < tokens.length;) {
    const atom = readAtom(tokens, index);
    if (atom) atoms.push(atom);
    index = atom ? atom.last + 1 : index + 1;
  }
  markAmounts(tokens, atoms);
  return atoms.filter((_, position) => !isPronoun(tokens, atoms, position));
}

const BEFORE_PRONOUN = new Set('this that which old new other first last same right wrong another my the no'.split(' '));

/** Returns whether the atom is "one" in "my old one" or in "the other one 4111 1111 1111 1111". No card starts with 1. */
function isPronoun(tokens: readonly Token[], atoms: readonly Atom[], position: number): boolean {
  const [before, atom, next] = [atoms[position - 1], atoms[position], atoms[position + 1]];
  if (!atom?.isSpoken || tokens[atom.first]?.folded !== 'one') return false;
  const isEnd = !tokens[atom.last + 1]?.isAttached || !next || next.first > atom.last + 1;
  if (atom.last === atom.first && isEnd && BEFORE_PRONOUN.has(tokens[atom.first - 1]?.folded ?? '')) return true;
  if (atom.digits !== '1' || !next || next.isSpoken) return false;
  return (
    before?.last !== atom.first - 1 &&
    tokens[next.first]?.turn === tokens[atom.first]?.turn &&
    isInCard(tokens, atoms, position + 1)
  );
}

function readAtom(tokens: readonly Token[], index: number): Atom | undefined {
  const token = tokens[index];
  if (!token || token.isBarrier) return undefined;
  const spoken = (last: number, digits: string, isAmount = false): Atom => ({
    first: index,
    last,
    digits,
    characters: digits,
    isSpoken: true,
    isAmount,
  });
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
    return spoken(group.last, String(group.value), group.isAmount);
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

/** Returns the next token if it is in the same turn and not a barrier. */
function follows(tokens: readonly Token[], index: number): Token | undefined {
  const next = tokens[index + 1];
  return next && next.turn === tokens[index]?.turn && !next.isBarrier ? next : undefined;
}

/**
 * Returns whether a word is a number. "for" and "to" are numbers only between two numbers, "oh" only beside a number
 * or alone, and the Uzbek "on" only beside an Uzbek number.
 */
function isNumber(tokens: readonly Token[], index: number): boolean {
  const number = tokens[index]?.number;
  if (!number?.isSoundAlike) return number !== undefined;
  const sides = [neighbor(tokens, index, -1), neighbor(tokens, index, 1)].filter((side) => side !== undefined);
  const spoken = sides.filter((side) => isSpokenNumber(side));
  if (number.value === 0) return spoken.length > 0 || sides.some(({ digits }) => digits) || sides.length === 0;
  if (number.value === 10) return spoken.some((side) => side.number?.words === number.words);
  const [before, after] = [firmBeside(tokens, index, -1), firmBeside(tokens, index, 1)];
  if (before > 0 && after > 0) return true;
  // At the start or the end of what is said, after several digits: "five five five, oh one three to."
  if (before >= FIRM_NUMBERS) return isClauseEnd(tokens[index + 1], tokens[index]);
  return after >= FIRM_NUMBERS && isClauseEnd(tokens[index - 1], tokens[index]);
}

const FIRM_NUMBERS = 3;
const MAX_ALIKES = 2;

const isClauseEnd = (beside: Token | undefined, token: Token | undefined): boolean =>
  beside?.turn !== token?.turn || (beside?.isWord === false && beside.digits === undefined);

/** Returns how many sure numbers are beside a word, up to `FIRM_NUMBERS`, with sound-alikes between them. */
function firmBeside(tokens: readonly Token[], index: number, step: 1 | -1): number {
  let [count, alikes] = [0, 0];
  for (let at = index + step; Math.abs(at - index) <= MAX_BESIDE && count < FIRM_NUMBERS; at += step) {
    const token = tokens[at];
    if (!token || token.turn !== tokens[index]?.turn) break;
    if (isSpokenNumber(token)) count++;
    else if (token.number?.isSoundAlike) alikes++;
    else if (token.isWord && !token.isFiller) break;
    if (alikes > MAX_ALIKES) break;
  }
  return count;
}

const MAX_BESIDE = 12;

const MAX_SIGNS_BETWEEN = 4;

function neighbor(tokens: readonly Token[], index: number, step: 1 | -1): Token | undefined {
  for (let distance = 1; distance <= MAX_SIGNS_BETWEEN; distance++) {
    const token = tokens[index + distance * step];
    if (token?.turn !== tokens[index]?.turn) return undefined;
    if (token && (token.isWord || token.digits !== undefined) && !token.isFiller) return token;
  }
  return undefined;
}

const isSpokenNumber = ({ digitNoun, repeats, number }: Token): boolean =>
  digitNoun !== undefined ||
  repeats !== undefined ||
  (number !== undefined && (!number.isSoundAlike || number.value === 0));

interface Group {
  value: number;
  last: number;
  isAmount: boolean;
}

/**
 * Returns the number that starts at `index`, with all words that combine to one number: "forty two" is 42, but "four two" are two
 * numbers. Each next word must be smaller than `room`.
 */
function readDigitGroup(tokens: readonly Token[], index: number): Group {
  const group: Group = { value: 0, last: index, isAmount: false };
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
      group.isAmount = true;
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
    } else if (value < room && (value > 0 || at === index) && !isBeforeHundred(tokens, at, room)) {
      part += value;
      room = roomAfter(value, before);
    } else break;
    group.last = at;
  }
  group.value += part;
  if (hasThousand && part === 0) group.isAmount = true;
  return group;
}

function roomAfter(value: number, largestBeforeHundred: number): number {
  if (value >= 100) return 100;
  // Only in Uzbek is 11 "ten one".
  if (value >= 20 || (value === 10 && largestBeforeHundred === 9)) return 10;
  return 0;
}

/** Returns whether "one" belongs to a following "hundred". In Uzbek, "ninety one hundred twenty" is 90 and 120. */
function isBeforeHundred(tokens: readonly Token[], at: number, room: number): boolean {
  const next = follows(tokens, at)?.number;
  return room === 10 && next?.value === 100 && next.words.largestBeforeHundred === 9;
}

/** Returns the index of the word that can continue a group. Skips a hyphen, and "and" after a hundred. */
function nextOfGroup(tokens: readonly Token[], at: number, part: number): number | undefined {
  const next = follows(tokens, at);
  const second = follows(tokens, at + 1);
  if (!next) return undefined;
  if (next.emailSign === '-' && !next.isWord && next.isAttached && second?.isAttached) return at + 2;
  if (next.folded === 'and' && part > 0 && part % 100 === 0) return at + 2;
  return at + 1;
}

/** Marks numbers before a unit or after a currency sign as amounts, including all their groups of digits: `18 790 rubles`. */
function markAmounts(tokens: readonly Token[], atoms: readonly Atom[]): void {
  atoms.forEach((atom, position) => {
    if (atom.digits.length > MAX_AMOUNT_DIGITS || isInCard(tokens, atoms, position)) atom.isAmount = false;
    else if (isYear(tokens, atoms, position) || isBeforeUnit(tokens, atom) || CURRENCY.test(tokens[atom.first - 1]?.folded ?? '')) atom.isAmount = true;
    if (!atom.isAmount || atom.isSpoken) return;
    for (let at = position; at > 0 && at > position - MAX_THOUSANDS; at--) {
      const [current, before] = [atoms[at], atoms[at - 1]];
      if (!current || !before || current.digits.length !== 3 || before.digits.length > 3) return;
      if (before.isSpoken || before.digits === '' || before.last !== current.first - 1) return;
      if (tokens[before.last]?.turn !== tokens[current.first]?.turn) return;
      before.isAmount = true;
    }
  });
}

const YEAR = /^(?:19|20)\d\d$/;

/** Returns whether the atom is a year or a part of one: "since 2009", "in twenty nineteen". */
function isYear(tokens: readonly Token[], atoms: readonly Atom[], position: number): boolean {
  const [before, atom, next] = [atoms[position - 1], atoms[position], atoms[position + 1]];
  if (!atom) return false;
  if (tokens[atom.first - 1]?.isBeforeYear && tokens[atom.first - 1]?.turn === tokens[atom.first]?.turn) {
    const isOnce = !next || next.first !== atom.last + 1;
    if (isOnce) return YEAR.test(atom.digits);
    return atom.isSpoken && next.digits.length === 2 && YEAR.test(atom.digits + next.digits) && !joins(next, atoms[position + 2]);
  }
  return before?.isAmount === true && joins(before, atom) && YEAR.test(before.digits + atom.digits) && before.isSpoken;
}

const joins = (left: Atom, right: Atom | undefined): boolean => right?.first === left.last + 1;

/** Returns whether the atom is a group of a number as long as a card's: "4111 1111 1111 1111 am I right?". Its first groups can be spoken. */
function isInCard(tokens: readonly Token[], atoms: readonly Atom[], position: number): boolean {
  let digits = atoms[position]?.digits.length ?? 0;
  let [first, last] = [position, position];
  const add = (index: number) => (digits += atoms[index]?.digits.length ?? 0);
  // It stops at a card's length, which keeps the search linear.
  while (digits < CARD_DIGITS && areGroups(tokens, atoms[last], atoms[last + 1])) add(++last);
  while (digits < CARD_DIGITS && areGroups(tokens, atoms[first - 1], atoms[first])) add(--first);
  while (digits < CARD_DIGITS && isSpokenBefore(tokens, atoms[first - 1], atoms[first])) add(--first);
  return digits >= CARD_DIGITS;
}

/** Cards are written in groups of four to six digits, with spaces or hyphens. */
const isGroup = ({ isSpoken, digits }: Atom) => !isSpoken && digits.length > 3 && digits.length < 7;

/** Returns whether two written groups of digits belong to the same number. */
function areGroups(tokens: readonly Token[], left: Atom | undefined, right: Atom | undefined): boolean {
  if (!left || !right || !isGroup(left) || !isGroup(right)) return false;
  if (tokens[left.last]?.turn !== tokens[right.first]?.turn) return false;
  const between = tokens.slice(left.last + 1, right.first);
  return between.length < 2 && between.every(({ emailSign, isWord }) => emailSign === '-' && !isWord);
}

/** Returns whether `left` is spoken and directly before `right`. */
const isSpokenBefore = (tokens: readonly Token[], left: Atom | undefined, right: Atom | undefined): boolean =>
  left?.isSpoken === true && left.last + 1 === right?.first && tokens[left.last]?.turn === tokens[right.first]?.turn;

function isBeforeUnit(tokens: readonly Token[], { last, digits }: Atom): boolean {
  if (digits === '') return false;
  const next = follows(tokens, last);
  if (next?.isUnit) return true;
  return next?.emailSign === '-' && !next.isWord && follows(tokens, last + 1)?.isUnit === true;
}
