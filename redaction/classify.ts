/** Determines the kind of a number by its length, its check digits and the words around it. */
import { CARD_DIGITS, isCard, isIban, isPinfl, PASSPORT, passesLuhn } from './checks.ts';
import { labelAfter, labelsBefore, type Found } from './labels.ts';
import { firstOf, isWholeTurn, lastOf, type Segment } from './segments.ts';
import type { Conversation } from './types.ts';
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Label } from './words/words.ts';

/** Length from which a dictated number is probably a phone number. */
const DICTATED_DIGITS = 9;
/** Maximum distance at which "order" marks an ordinary number. Farther away, words such as "passport" take precedence. */
const WORDS_BEFORE_ORDINARY = 4;

/** Minimum and maximum number of digits, by the word that introduces the number. */
const LENGTHS: Readonly<Record<'card' | 'code' | 'id' | 'phone' | 'number', readonly [number, number]>> = {
  card: [8, 19],
  code: [3, 8],
  id: [5, 12],
  phone: [6, 12],
  number: [7, 12],
};
/** Minimum number of digits if they are all that the speaker answers: a part of the number, before an interruption. */
const SHORTEST_ANSWER = { card: 4, code: 3, id: 3, phone: 3, number: 7 } as const;
const CODE: Label = 'code';

/**
 * Returns a function that determines the kind of a segment; undefined for numbers that are kept. Call it for the segments in the
 * order of the conversation.
 */
export function createClassifier(conversation: Conversation): (segment: Segment) => RuleKind | undefined {
  /** Length of the number that a word introduced, by the word's index. A word introduces one number and its repetitions. */
  const announced = new Map<number, number>();

  function labelOf(segment: Segment): Label | undefined {
    const { length } = segment.digits;
    const isAlone = isWholeTurn(conversation, segment);
    const found = labelsBefore(conversation, firstOf(segment))
      .map((each) =>
        each.isDigits && each.isAsked && isAlone && fits('code', length) ? { ...each, label: CODE } : each,
      )
      .filter((each) => (announced.get(each.at) ?? length) === length)
      .filter((each, _, all) => fits(each.label, length, isAlone && isAnswered(each, all)));
    const after = length < CARD_DIGITS ? labelAfter(conversation, lastOf(segment)) : undefined;
    const label =
      found.find((each) => isClear(each, found, length))?.label ??
      (after && fits(after, length) ? after : undefined) ??
      found.find((each) => each.label !== 'ordinary' || !each.isPast)?.label;
    for (const each of found) if (each.label !== 'ordinary' && each.label === label) announced.set(each.at, length);
    return label;
  }

  return (segment) => {
    const label = labelOf(segment);
    const kind = kindOf(conversation, segment, label);
    return kind !== 'code' && isCounting(segment) ? undefined : kind;
  };
}

/** Returns whether a label decides, of all `found` before a number. A word for an ordinary number decides only near the number. */
function isClear(
  { label, words, sentences, isOfNumber, isPast, isAsked }: Found,
  found: Found[],
  length: number,
): boolean {
  if (label === 'number') return false;
  if (label !== 'ordinary') return true;
  if (isPast || (words > WORDS_BEFORE_ORDINARY && !isAsked)) return false;
  if (isOfNumber) return true;
  const isNear = sentences === 0 || isAsked;
  const hasPersonal = found.some(
    (each) => isPersonal(each.label) && (each.sentences === sentences || length >= DICTATED_DIGITS),
  );
  return length < DICTATED_DIGITS
    ? !(hasPersonal && isAsked)
    : isNear && !hasPersonal && found[0]?.label === 'ordinary';
}

/** Returns whether a label asks for a number, and its question is not about an amount or an order as well. */
const isAnswered = ({ isAsked, isPast, sentences }: Found, all: Found[]): boolean =>
  isAsked && !isPast && !all.some((each) => each.label === 'ordinary' && each.sentences === sentences);

const isPersonal = (label: Label): boolean => label !== 'ordinary' && label !== 'number';

function kindOf(conversation: Conversation, segment: Segment, label: Label | undefined): RuleKind | undefined {
  const { digits, characters, atoms } = segment;
  const { length } = digits;
  if (isIban(characters) || (label === 'iban' && length >= 8)) return 'iban';
  if (PASSPORT.test(characters)) return 'id';
  if (length >= CARD_DIGITS) {
    if (label === 'ordinary' && atoms.length === 1 && !passesLuhn(digits)) return undefined;
    return !isCard(digits) && (label === 'id' || isPinfl(digits)) ? 'id' : 'card';
  }
  if (label === 'code' || label === 'card' || label === 'id') return label;
  const hasPlus = isAfterPlus(conversation, firstOf(segment));
  if (label === 'ordinary' && !hasPlus) return undefined;
  const isDictated = atoms.length > 2 && length >= DICTATED_DIGITS;
  if (conversation.isPhone(digits, hasPlus) && (hasPlus || isDictated || length > 9 || label !== undefined))
    return 'phone';
  if (isDictated && atoms.some(({ isSpoken }) => isSpoken)) return 'phone';
  return label === 'phone' || label === 'number' ? 'phone' : undefined;
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

function fits(label: Label, length: number, isAnswer = false): boolean {
  if (label === 'iban' || label === 'ordinary') return true;
  const [min, max] = LENGTHS[label];
  const isLong = length >= (isAnswer ? SHORTEST_ANSWER[label] : min);
  return isLong && length <= max;
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
