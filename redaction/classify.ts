/** Determines the kind of a number by its length, its check digits and the words around it. */
import { CARD_DIGITS, isCard, isIban, isPinfl, PASSPORT, passesLuhn } from './checks.ts';
import { firstOf, isSpokenWord, lastOf } from './segments.ts';
import type { Conversation, Segment } from './segments.ts';
import type { Token } from './tokens.ts';
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Label } from './words/words.ts';

/** Length from which a dictated number is probably a phone number. */
const DICTATED_DIGITS = 9;
const WORDS_BEFORE = 15;
/** Maximum distance at which "order" marks an ordinary number. Farther away, words such as "passport" take precedence. */
const WORDS_BEFORE_ORDINARY = 4;
const WORDS_AFTER = 3;
const TOKENS_AROUND = 80;

/** Minimum and maximum number of digits, by the word that introduces the number. */
const LENGTHS: Readonly<Record<'card' | 'code' | 'id' | 'phone' | 'number', readonly [number, number]>> = {
  card: [8, 19],
  code: [3, 8],
  id: [5, 12],
  phone: [6, 12],
  number: [7, 12],
};

interface Found {
  label: Label;
  at: number;
  /** Number of words between the label and the number. */
  words: number;
  /** Whether "number" is next to the label, as in "order number". That is clearer than "order" alone. */
  isOfNumber: boolean;
}

/**
 * Returns a function that determines the kind of a segment; undefined for numbers that are kept. Call it for the segments in the
 * order of the conversation.
 */
export function createClassifier(conversation: Conversation): (segment: Segment) => RuleKind | undefined {
  /** Length of the number that a word introduced, by the word's index. A word introduces one number and its repetitions. */
  const announced = new Map<number, number>();

  function labelOf(segment: Segment): Label | undefined {
    const { length } = segment.digits;
    const isFree = ({ at, label }: Found) => (announced.get(at) ?? length) === length && fits(label, length);
    const found = labelsBefore(conversation, firstOf(segment)).filter(isFree);
    const isClear = ({ label, words, isOfNumber }: Found) =>
      label !== 'number' &&
      (label !== 'ordinary' || (words <= WORDS_BEFORE_ORDINARY && (isOfNumber || length < DICTATED_DIGITS)));
    const nearest =
      found.find(isClear) ?? (length < CARD_DIGITS ? labelAfter(conversation, lastOf(segment)) : undefined) ?? found[0];
    for (const { label, at } of found) if (label !== 'ordinary' && label === nearest?.label) announced.set(at, length);
    return nearest?.label;
  }

  return (segment) => {
    const label = labelOf(segment);
    const kind = kindOf(conversation, segment, label);
    return kind !== 'code' && isCounting(segment) ? undefined : kind;
  };
}

function kindOf(conversation: Conversation, segment: Segment, label: Label | undefined): RuleKind | undefined {
  const { digits, characters, atoms } = segment;
  const { length } = digits;
  if (isIban(characters) || (label === 'iban' && length >= 8)) return 'iban';
  if (PASSPORT.test(characters)) return 'id';
  if (length >= CARD_DIGITS) {
    if (label === 'ordinary' && atoms.length === 1 && !passesLuhn(digits)) return undefined;
    return !isCard(digits) && (label === 'id' || isPinfl(digits)) ? 'id' : 'card';
  }
  if (label === 'code' || label === 'card' || label === 'id') return fits(label, length) ? label : undefined;
  const hasPlus = isAfterPlus(conversation, firstOf(segment));
  if (label === 'ordinary' && !hasPlus) return undefined;
  const isDictated = atoms.length > 2 && length >= DICTATED_DIGITS;
  if (conversation.isPhone(digits, hasPlus) && (hasPlus || isDictated || length > 9 || label !== undefined))
    return 'phone';
  if (isDictated && atoms.some(({ isSpoken }) => isSpoken)) return 'phone';
  return label !== undefined && fits(label, length) ? 'phone' : undefined;
}

/**
 * Returns whether the original of a number may be stored. Cards and their codes must not be (PCI DSS 3.3), nor what may be a
 * part of a card: only numbers with the shape of their kind are kept, and none shortly after a word for cards.
 * @param cardEnd last token of the card before the number. Words for cards before it announced that card.
 */
export function mayBeKept(conversation: Conversation, kind: RuleKind, segment: Segment, cardEnd: number): boolean {
  const { digits, characters } = segment;
  if (kind === 'card' || kind === 'code') return false;
  if (kind === 'iban') return isIban(characters);
  if (kind === 'id' && (isPinfl(digits) || PASSPORT.test(characters))) return true;
  const isShaped =
    kind === 'id'
      ? digits.length < CARD_DIGITS
      : conversation.isPhone(digits, isAfterPlus(conversation, firstOf(segment))) && digits.length < CARD_DIGITS;
  return (
    isShaped && !labelsBefore(conversation, firstOf(segment)).some(({ label, at }) => label === 'card' && at > cardEnd)
  );
}

function fits(label: Label, length: number): boolean {
  if (label === 'iban' || label === 'ordinary') return true;
  const [min, max] = LENGTHS[label];
  return length >= min && length <= max;
}

/** Returns the words before a number that introduce it, nearest first. */
function labelsBefore({ tokens, isOfNumber: isNumber }: Conversation, first: number): Found[] {
  const found: Found[] = [];
  let words = 0;
  for (let at = first - 1; at >= 0 && at >= first - TOKENS_AROUND && words < WORDS_BEFORE; at--) {
    const token = tokens[at];
    if (!token || isNumber[at] === 1) continue;
    const isOfNumber = [tokens[at - 1], tokens[at + 1]].some(
      (next) => next?.label === 'number' || next?.folded === '№',
    );
    if (token.isDigitWord && isCodeLength(tokens[at - 1])) {
      found.push({ label: tokens[at - 2]?.isLast ? 'ordinary' : 'code', at, words, isOfNumber });
    } else if (token.label === 'code' && tokens[at - 1]?.isOrdinaryCode) {
      found.push({ label: 'ordinary', at, words, isOfNumber });
    } else if (token.label) found.push({ label: token.label, at, words, isOfNumber });
    if (isSpokenWord(token)) words++;
  }
  return found;
}

/** Returns whether the token is the length of a code, as in "three digits" and "6 digits". */
const isCodeLength = (token: Token | undefined): boolean => {
  const length = token?.number?.value ?? Number(token?.digits);
  return length >= 3 && length <= 6;
};

/** Returns the word after a number that names it: "4812 is the code", `12345-buyurtma`. */
function labelAfter({ tokens }: Conversation, last: number): Found | undefined {
  const turn = tokens[last]?.turn;
  for (let at = last + 1; at <= last + WORDS_AFTER; at++) {
    const token = tokens[at];
    if (!token || token.turn !== turn || (!token.isWord && token.folded !== '-')) return undefined;
    const { label } = token;
    const isName = label === 'ordinary' ? at <= last + 2 && token.isAttached : label !== 'number';
    if (label && isName) return { label, at, words: 0, isOfNumber: false };
  }
  return undefined;
}

const isAfterPlus = ({ tokens }: Conversation, first: number): boolean => {
  const before = tokens[first - 1];
  return before?.isPlus === true && before.turn === tokens[first]?.turn;
};

const MIN_COUNTED = 3;
const MAX_STEP = 10;

/** Returns whether the speaker is counting: "one two three four", "10, 20, 30". */
function isCounting({ atoms }: Segment): boolean {
  const values = atoms.map(({ digits }) => Number(digits));
  const step = (values[1] ?? 0) - (values[0] ?? 0);
  if (atoms.length < MIN_COUNTED || step === 0 || Math.abs(step) > MAX_STEP) return false;
  return values.every((value, index) => index === 0 || value - (values[index - 1] ?? 0) === step);
}
