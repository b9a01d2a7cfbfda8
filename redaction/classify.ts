/** Determines the kind of a number by its length, its check digits and the words around it. */
import { CARD_DIGITS, isCard, isIban, isPinfl, PASSPORT } from './checks.ts';
import { fits, labelsBefore, type Found } from './labels.ts';
import { firstOf, isAfterPlus, isWholeTurn, lastOf, type Segment } from './segments.ts';
import type { Conversation } from './types.ts';
import type { RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Label } from './words/words.ts';

/** Minimum number of digits of a phone number after a plus. */
const SHORTEST_INTERNATIONAL = 8;
/** Length from which a dictated number is probably a phone number. */
const DICTATED_DIGITS = 9;
/** Maximum distance at which "order" marks an ordinary number. Farther away, words such as "passport" take precedence. */
const WORDS_BEFORE_ORDINARY = 4;

/** Maximum number of words between "code" and a number that looks like a price. */
const WORDS_BEFORE_GROUPED = 2;
/** Maximum number of words of an answer before such a number: "I think it's 4,071." */
const WORDS_OF_ANSWER = 3;

/**
 * Returns a function that determines the kinds that a segment can be, the likeliest first; none for numbers that are kept. Call it
 * for the segments in the order of the conversation.
 */
export function createClassifier(conversation: Conversation): (segment: Segment) => RuleKind[] {
  /** Length of the number that a word introduced, by the word's index. A word introduces one number and its repetitions. */
  const announced = new Map<number, number>();

  function labelsOf(segment: Segment): { label: Label | undefined; found: Found[]; all: Found[] } {
    const { length } = segment.digits;
    const isAlone = isWholeTurn(conversation, segment);
    const all = labelsBefore(conversation, firstOf(segment)).map((each): Found =>
      each.isDigits && each.isAsked && isAlone && fits('code', length) ? { ...each, label: 'code' } : each,
    );
    const found = all
      .filter((each) => (announced.get(each.at) ?? length) === length)
      .filter((each) => fits(each.label, length, isAlone && each.isAsked));
    const { label } = found.find((each) => isClear(each, found, length)) ?? found[0] ?? {};
    for (const each of found) if (each.label !== 'ordinary' && each.label === label) announced.set(each.at, length);
    return { label, found, all };
  }

  return (segment) => {
    const { length } = segment.digits;
    const { label, found, all } = labelsOf(segment);
    const kind = segment.atoms.every(({ isGrouped }) => isGrouped)
      ? kindOfGrouped(conversation, segment, label, found)
      : kindOf(conversation, segment, label);
    if (kind === undefined) return [];
    // A card with a misheard digit, or several numbers that nothing separates, can be what any word before them says.
    const labels = length < CARD_DIGITS ? found : [...found, ...all];
    return [
      kind,
      ...(length < CARD_DIGITS ? [] : (['card'] as const)),
      ...labels.flatMap((each) => kindOfLabel(each.label)),
    ];
  };
}

/** Returns the kind of a number that looks like a price: only what is asked for, or named right before it. */
function kindOfGrouped(
  { tokens }: Conversation,
  segment: Segment,
  label: Label | undefined,
  found: readonly Found[],
): RuleKind | undefined {
  const [last, next] = [tokens[lastOf(segment)], tokens[lastOf(segment) + 1]];
  const isEnd = next?.turn !== last?.turn || next?.isWord === false;
  const isNamed = found.some(
    (each) =>
      each.label === label &&
      (each.answerWords !== undefined
        ? each.isAsked || (isEnd && each.answerWords <= WORDS_OF_ANSWER)
        : each.sentences === 0 && each.words <= WORDS_BEFORE_GROUPED),
  );
  if (!isNamed || label === undefined) return undefined;
  const [kind] = kindOfLabel(label);
  return kind === 'phone' ? undefined : kind;
}

const kindOfLabel = (label: Label): RuleKind[] => (label === 'ordinary' ? [] : [label === 'number' ? 'phone' : label]);

/** Returns whether a label decides, of all `found` before a number. A word for an ordinary number decides only near the number. */
function isClear({ label, words, sentences, isOfNumber, isAsked }: Found, found: Found[], length: number): boolean {
  if (label === 'number') return false;
  if (label !== 'ordinary') return true;
  if (words > WORDS_BEFORE_ORDINARY && !isAsked) return false;
  if (isOfNumber) return true;
  const isNear = sentences === 0 || isAsked;
  const hasPersonal = found.some(
    (each) => isPersonal(each.label) && (each.sentences === sentences || length >= DICTATED_DIGITS),
  );
  return length < DICTATED_DIGITS
    ? !(hasPersonal && isAsked)
    : isNear && !hasPersonal && found[0]?.label === 'ordinary';
}

const isPersonal = (label: Label): boolean => label !== 'ordinary' && label !== 'number';

function kindOf(conversation: Conversation, segment: Segment, label: Label | undefined): RuleKind | undefined {
  const { digits, characters, atoms } = segment;
  const { length } = digits;
  if (isIban(characters) || (label === 'iban' && length >= 8)) return 'iban';
  if (PASSPORT.test(characters)) return 'id';
  if (isCard(digits)) return 'card';
  const hasPlus = isAfterPlus(conversation, firstOf(segment));
  if (hasPlus && length >= SHORTEST_INTERNATIONAL) return 'phone';
  if (length >= CARD_DIGITS) {
    if (isPinfl(digits)) return 'id';
    return label === 'id' || label === 'phone' ? label : conversation.isPhone(digits, false) ? 'phone' : 'card';
  }
  if (label === 'code' || label === 'card' || label === 'id') return label;
  if (label === 'ordinary') return undefined;
  const isDictated = atoms.length > 2 && length >= DICTATED_DIGITS;
  if (conversation.isPhone(digits, false) && (isDictated || length > 9 || label !== undefined)) return 'phone';
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
